package io.muninn.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.agent.memory.EngineChoice;
import io.muninn.agent.memory.EngineTrial;
import io.muninn.doctor.Finding.Level;
import io.muninn.doctor.SmokeRun.Result;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A checkup as text and as JSON. */
class CheckupTextTest {
    private static final List<Finding> MACHINE =
            List.of(
                    Finding.ok("cores", "2"),
                    new Finding("open files", Level.NOTE, "256", "'ulimit -n 512'"));

    private static final EngineTrial DENIED =
            new EngineTrial(
                    "uffd+event",
                    "the device",
                    false,
                    false,
                    List.of(
                            new EngineTrial.Step("memory", true, true, "ok", 2000, ""),
                            new EngineTrial.Step(
                                    "opened", true, false, "EPERM (1)", 3000, "more privilege"),
                            new EngineTrial.Step("a load", false, false, "not tried", 0, "")));

    private static final EngineTrial GOOD =
            new EngineTrial(
                    "uffd+event",
                    "the system call",
                    true,
                    false,
                    List.of(new EngineTrial.Step("memory", true, true, "ok", 2000, "")));

    private static Checkup checkup(Optional<EngineChoice> choice) {
        return new Checkup(MACHINE, List.of(DENIED, GOOD), choice, 5_000_000, List.of());
    }

    @Test
    void text_hasEveryStepWithResultTimeAndRemedy() {
        EngineChoice choice = new EngineChoice("uffd+event", "auto, by the system call", false);

        assertEquals(
                """
                machine
                  ok    cores       2
                  note  open files  256
                        needs 'ulimit -n 512'

                uffd+event by the device: does not work
                  ok    memory  2.00 µs
                  no    opened  EPERM (1), 3.00 µs
                        needs more privilege
                  -     a load  not tried

                uffd+event by the system call: works
                  ok    memory  2.00 µs

                runs take engine uffd+event (auto, by the system call), chosen in 5.00 ms
                system calls that are handed shared memory fail with EFAULT or are cut short with \
                it: use writeTo and readFrom of the views
                """,
                CheckupText.format(checkup(Optional.of(choice))));
    }

    @Test
    void machineWithoutAnEngine_isNotGood() {
        Checkup nothing = checkup(Optional.empty());

        assertFalse(nothing.isGood());
        assertTrue(CheckupText.format(nothing).endsWith("\nruns find no engine that works here\n"));
        assertTrue(CheckupJson.format(nothing).contains("\"auto\": null"));
    }

    @Test
    void badFinding_isNotGood() {
        EngineChoice choice = new EngineChoice("uffd+event", "auto", true);
        Finding bad = new Finding("JDK", Level.BAD, "24", "25");

        assertTrue(checkup(Optional.of(choice)).isGood());
        assertFalse(
                new Checkup(List.of(bad), List.of(), Optional.of(choice), 1, List.of()).isGood());
    }

    @Test
    void json_saysWhatTheTextSays() {
        EngineChoice choice = new EngineChoice("uffd+event", "auto, by the system call", true);

        JsonObject json =
                JsonParser.parseString(CheckupJson.format(checkup(Optional.of(choice))))
                        .getAsJsonObject();

        assertTrue(json.get("good").getAsBoolean());
        assertEquals("uffd+event", json.getAsJsonObject("auto").get("engine").getAsString());
        assertEquals(5_000_000, json.getAsJsonObject("auto").get("nanos").getAsLong());
        JsonObject note = json.getAsJsonArray("machine").get(1).getAsJsonObject();
        assertEquals("note", note.get("level").getAsString());
        JsonObject denied = json.getAsJsonArray("engines").get(0).getAsJsonObject();
        assertFalse(denied.get("works").getAsBoolean());
        JsonObject step = denied.getAsJsonArray("steps").get(1).getAsJsonObject();
        assertEquals("EPERM (1)", step.get("result").getAsString());
        assertEquals("more privilege", step.get("needs").getAsString());
        assertEquals(3000, step.get("nanos").getAsLong());
    }

    private static final SmokeRun RAN = new SmokeRun("dsm run hello", Result.OK, "", 2_000_000);
    private static final SmokeRun SKIPPED =
            new SmokeRun("dsm run --engine e", Result.SKIPPED, "does not work here", 0);
    private static final SmokeRun FAILED =
            new SmokeRun("dsm sim x", Result.FAILED, "WRONG RESULT", 3_000_000);

    @Test
    void runs_areATableWithReasons() {
        EngineChoice choice = new EngineChoice("uffd+event", "auto", false);
        Checkup all = checkup(Optional.of(choice)).with(List.of(RAN, SKIPPED, FAILED));

        String text = CheckupText.format(all);

        assertTrue(
                text.endsWith(
                        """
                        readFrom of the views

                        ok       dsm run hello       2.00 ms
                        skipped  dsm run --engine e  does not work here
                        failed   dsm sim x           3.00 ms, WRONG RESULT
                        """),
                text);
        JsonObject json = JsonParser.parseString(CheckupJson.format(all)).getAsJsonObject();
        JsonObject failed = json.getAsJsonArray("runs").get(2).getAsJsonObject();
        assertEquals("dsm sim x", failed.get("command").getAsString());
        assertEquals("failed", failed.get("result").getAsString());
        assertEquals("WRONG RESULT", failed.get("why").getAsString());
        assertEquals(3_000_000, failed.get("nanos").getAsLong());
    }

    @Test
    void failedRun_isNotGoodAndASkippedOneIs() {
        Checkup good = checkup(Optional.of(new EngineChoice("uffd+event", "auto", false)));

        assertTrue(good.with(List.of(RAN, SKIPPED)).isGood());
        assertFalse(good.with(List.of(RAN, FAILED)).isGood());
    }
}
