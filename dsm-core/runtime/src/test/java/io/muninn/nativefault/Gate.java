package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;

/** Holds traps at one of their steps, in an application whose environment has {@link #VARIABLE}. */
public final class Gate {
    public static final String VARIABLE = "MUNINN_TRAP_GATE";

    /** {@code enum dsm_gate}: the step that a trap has just done while it makes a twin. */
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

    /** Holds the traps that reach this step from now on; {@code OPEN} holds none. */
    public void hold(Step step) {
        INT.setVolatile(words, 4L, 0);
        INT.setVolatile(words, 0L, STEPS.indexOf(step));
    }

    /** Releases the traps, which continue at once, or after a moment. */
    public void open() {
        hold(Step.OPEN);
    }

    /** Number of traps that have reached the step since {@link #hold}. */
    public int held() {
        return (int) INT.getVolatile(words, 4L);
    }
}
