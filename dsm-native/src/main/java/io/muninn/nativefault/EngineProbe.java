package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of trying an engine on this machine, with the privileges of this process: a child
 * process faults on pages that it shares with this process, in every way that an application does.
 *
 * @param kind the engine
 * @param way how it obtained the means to change access
 * @param steps the results of all {@link ProbeStep}s, in their order
 * @param missingFeatures of userfaultfd, as bits, that the engine needs and the kernel lacks
 */
public record EngineProbe(EngineKind kind, Way way, List<ProbeResult> steps, long missingFeatures) {
    public EngineProbe {
        steps = List.copyOf(steps);
    }

    /**
     * Tries an engine. Takes milliseconds, at most five seconds, and leaves nothing behind.
     *
     * <p><b>Threads.</b> Any; blocks. The child is a fork of this process and ends before the call
     * returns.
     *
     * @throws NativeCallException if the system is out of memory (ENOMEM)
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

    /** The first step that failed. A system call that does not wait is not a failure. */
    public Optional<ProbeResult> failure() {
        return steps.stream()
                .filter(step -> step.what() != ProbeStep.SYSTEM_CALL && step.hasFailed())
                .findFirst();
    }

    /** True if every step that the engine needs has passed. */
    public boolean isGood() {
        return failure().isEmpty();
    }

    /** True if a system call on a page of another node waits for the page, as a load does. */
    public boolean systemCallsWait() {
        return steps.get(ProbeStep.SYSTEM_CALL.ordinal()).hasPassed();
    }

    /** Describes a step, as text for the user. */
    public String text(ProbeResult step) {
        return step.what().text(kind);
    }

    /** The remedy for a failed step, as text for the user; empty if none is known. */
    public String remedy(ProbeResult step) {
        if (step.code() == -Errno.ENOMSG) { // a handler was installed and is not called
            return "a process without a library that takes its signals (LD_PRELOAD)";
        }
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

    /** The result in one line for the user: the failure and its remedy, or success. */
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
