package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of trying an engine on this machine, with the privilege of this process: a child
 * process faulted on pages that it shared with this one, in every way an application does.
 *
 * @param kind the engine
 * @param way how it came by what changes access
 * @param steps all of {@link ProbeStep}, in their order
 * @param missingFeatures of userfaultfd, as bits, that the engine needs and the kernel lacks
 */
public record EngineProbe(EngineKind kind, Way way, List<ProbeResult> steps, long missingFeatures) {
    public EngineProbe {
        steps = List.copyOf(steps);
    }

    /**
     * Tries an engine. Takes milliseconds, and at most five seconds; leaves nothing behind.
     *
     * <p><b>Threads.</b> Any; waits. The child is a fork of this process for as long.
     *
     * @throws NativeCallException if the system has no memory for it (ENOMEM)
     */
    public static EngineProbe run(EngineKind kind, Way way) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment report = arena.allocate(FaultLibrary.PROBE_BYTES, Long.BYTES);
            NativeCallException.checked(
                    "dsm_probe",
                    FaultLibrary.dsm_probe(kind.code(), way.ordinal(), report.address()));
            List<ProbeResult> steps = new ArrayList<>();
            for (int i = 0; i < FaultLibrary.PROBE_STEPS; i++) {
                long at = (long) i * FaultLibrary.PROBE_STEP_BYTES;
                steps.add(
                        new ProbeResult(
                                ProbeStep.of(i),
                                report.get(JAVA_INT, at),
                                report.get(JAVA_LONG, at + FaultLibrary.PROBE_STEP_NANOS)));
            }
            return new EngineProbe(
                    kind, way, steps, report.get(JAVA_LONG, FaultLibrary.PROBE_MISSING));
        }
    }

    /** The first step that failed; a system call that does not wait is no failure. */
    public Optional<ProbeResult> failure() {
        return steps.stream()
                .filter(step -> step.what() != ProbeStep.SYSTEM_CALL && step.hasFailed())
                .findFirst();
    }

    /** Whether every step passed that the engine needs. */
    public boolean isGood() {
        return failure().isEmpty();
    }

    /** Whether a system call on a page that is elsewhere waits for it, as a load does. */
    public boolean systemCallsWait() {
        return steps.get(ProbeStep.SYSTEM_CALL.ordinal()).hasPassed();
    }

    /** For people: what a step tries. */
    public String text(ProbeResult step) {
        return step.what().text(kind);
    }

    /** For people: what a step needs that failed; empty if nothing is known to help. */
    public String remedy(ProbeResult step) {
        return switch (step.what()) {
            case OPEN -> way.remedy();
            case FEATURES ->
                    missingFeatures == 0
                            ? step.what().remedy(kind)
                            : "a kernel with userfaultfd features 0x"
                                    + Long.toHexString(missingFeatures)
                                    + " ("
                                    + step.what().remedy(kind)
                                    + " has them)";
            default -> step.what().remedy(kind);
        };
    }

    /** For people: in one line what failed and what would help, or that all is well. */
    public String verdict() {
        Optional<ProbeResult> failed = failure();
        if (failed.isEmpty()) {
            return way.text() + ": works";
        }
        String stage =
                failed.get().what() == ProbeStep.OPEN ? "" : failed.get().what().text(kind) + ": ";
        String remedy = remedy(failed.get());
        return way.text()
                + ": "
                + stage
                + failed.get().text()
                + (remedy.isEmpty() ? "" : "; needs " + remedy);
    }
}
