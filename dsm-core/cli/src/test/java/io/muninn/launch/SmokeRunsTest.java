package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.agent.memory.EngineTrial;
import io.muninn.doctor.SmokeRun;
import io.muninn.doctor.SmokeRun.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code dsm doctor --all} skips. Runs are made in {@code DoctorE2eTest}. */
class SmokeRunsTest {
    private static EngineTrial denied(String engine, String way, String errno) {
        return new EngineTrial(
                engine,
                way,
                false,
                false,
                List.of(
                        new EngineTrial.Step("memory", true, true, "ok", 1, ""),
                        new EngineTrial.Step("opened", true, false, errno, 1, ""),
                        new EngineTrial.Step("a load", false, false, "not tried", 0, "")));
    }

    @Test
    void enginesThatDoNotWork_areSkippedWithTheStepsThatFailed() throws InterruptedException {
        List<EngineTrial> trials =
                List.of(
                        denied("uffd+event", "the device", "EACCES (13)"),
                        denied("uffd+event", "the system call", "EPERM (1)"),
                        denied("mprotect+signal", "a task", "ENOMEM (12)"));

        List<SmokeRun> runs = new SmokeRuns(trials, Duration.ofSeconds(50)).make();

        assertEquals(
                List.of(
                        "no engine works here",
                        "does not work here: the device: opened: EACCES (13); the system call:"
                                + " opened: EPERM (1)",
                        "does not work here: a task: opened: ENOMEM (12)"),
                runs.subList(0, 3).stream().map(SmokeRun::why).toList());
        runs.subList(0, 3).forEach(each -> assertEquals(Result.SKIPPED, each.result()));
        assertEquals("dsm run -n 2 hello", runs.getFirst().command());
    }
}
