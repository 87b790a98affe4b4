package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Holds traps of an application at one of their steps: one whose environment has {@link #VARIABLE}.
 */
public final class Gate {
    public static final String VARIABLE = "MUNINN_TRAP_GATE";

    /** {@code enum dsm_gate}: what a trap has just done. */
    public enum Step {
        OPEN,
        TWINNING,
        COPIED,
        LIFTING,
        PUSHED,
        LIFTED
    }

    private static final List<Step> STEPS = List.of(Step.values());
    private static final VarHandle INT = JAVA_INT.varHandle();

    private final MemorySegment words;

    public Gate(FaultEngine engine) {
        words = engine.gate();
    }

    /** Holds the traps that come to this step from now on; {@code OPEN} none. */
    public void hold(Step step) {
        INT.setVolatile(words, 4L, 0);
        INT.setVolatile(words, 0L, STEPS.indexOf(step));
    }

    /** Lets go. A trap that is held looks again at once, or within a moment. */
    public void open() {
        hold(Step.OPEN);
    }

    /** Traps that have come to the step since {@link #hold}. */
    public int held() {
        return (int) INT.getVolatile(words, 4L);
    }
}
