package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The results of the fault engine's own probe, here and on machines with a deficiency. */
@Timeout(60)
class EngineProbeTest {
    /** Every step passes before the one with result {@code code}; no later one is tried. */
    private static EngineProbe failing(ProbeStep at, int code, long missingFeatures) {
        List<ProbeResult> steps =
                Stream.of(ProbeStep.values())
                        .map(step ->
                                new ProbeResult(
                                        step,
                                        step.compareTo(at) < 0 ? 0 : step == at ? code : 1,
                                        1000))
                        .toList();
        return new EngineProbe(EngineKind.UFFD_EVENT, Way.USER_MODE_ONLY, steps, missingFeatures);
    }

    @ParameterizedTest
    @EnumSource
    void wayThatOpens_passesEveryStep(EngineKind kind) {
        boolean works = false;
        for (Way way : kind.ways()) {
            EngineProbe probe = EngineProbe.run(kind, way);
            works |= probe.isGood();

            assertEquals(List.of(ProbeStep.values()), steps(probe));
            boolean opens = probe.steps().get(ProbeStep.OPEN.ordinal()).hasPassed();
            assertEquals(opens, probe.isGood(), probe::toString);
            boolean waits = kind == EngineKind.UFFD_EVENT && way != Way.USER_MODE_ONLY;
            assertEquals(opens && waits, probe.systemCallsWait(), probe::toString);
        }
        assertTrue(works, "these tests need a machine with userfaultfd, and clone");
    }

    private static List<ProbeStep> steps(EngineProbe probe) {
        return probe.steps().stream().map(ProbeResult::what).toList();
    }

    @Test
    void failure_saysWhatWouldMakeItPass() {
        assertEquals(
                "the system call userfaultfd, user mode only: ENOSYS (38); needs a seccomp profile"
                        + " that lets it through (container profiles usually do not)",
                failing(ProbeStep.OPEN, -Errno.ENOSYS, 0).verdict());
        assertEquals(
                "the system call userfaultfd, user mode only: its features: EINVAL (22); needs a"
                        + " kernel with userfaultfd features 0x4000 (Linux 6.6 or newer has them)",
                failing(ProbeStep.FEATURES, -Errno.EINVAL, 0x4000).verdict());
        assertEquals(
                "the system call userfaultfd, user mode only: a load waits for its page: ETIMEDOUT"
                        + " (110)",
                failing(ProbeStep.MISSING, -110, 0).verdict());
    }

    @Test
    void signalThatDoesNotReachItsHandler_isNamed() {
        assertEquals(
                "the system call userfaultfd, user mode only: a load waits for its page: ENOMSG"
                        + " (42); needs a process without a library that takes its signals"
                        + " (LD_PRELOAD)",
                failing(ProbeStep.MISSING, -Errno.ENOMSG, 0).verdict());
    }

    @Test
    void systemCallThatDoesNotWait_isNoFailure() {
        List<ProbeResult> steps =
                Arrays.stream(ProbeStep.values())
                        .map(step ->
                                new ProbeResult(step, step == ProbeStep.SYSTEM_CALL ? -14 : 0, 1))
                        .toList();
        EngineProbe probe = new EngineProbe(EngineKind.UFFD_SIGNAL, Way.DEVICE, steps, 0);

        assertTrue(probe.isGood());
        assertFalse(probe.systemCallsWait());
        assertEquals("/dev/userfaultfd: works", probe.verdict());
        assertFalse(failing(ProbeStep.POISON, -Errno.EINVAL, 0).isGood());
    }
}
