package io.muninn.apps;

import io.muninn.api.Band;
import io.muninn.api.Schedule;
import java.util.Locale;

/**
 * The size of a program of parallel loops, and the schedule of its loops.
 *
 * @param size size of the problem, as defined in the program's usage
 * @param steps time steps or iterations, 0 or more
 * @param schedule schedule of all loops
 * @param isLocked whether the program reduces under a lock
 */
public record LoopSize(int size, int steps, Schedule schedule, boolean isLocked) {
    /** The size of a program that reduces on barriers or not at all. */
    public LoopSize(int size, int steps, Schedule schedule) {
        this(size, steps, schedule, false);
    }

    /** The rows of a grid except its first and its last. */
    public Band inner() {
        return new Band(1, Math.max(1, size - 1));
    }

    /** All rows of a grid, or all elements of an array. */
    public Band all() {
        return new Band(0, size);
    }

    /** For verdicts, as in {@code grid of 64x64 after 20 steps}. */
    public String ofGrid() {
        return String.format(Locale.ROOT, "grid of %dx%d after %d steps", size, size, steps);
    }
}
