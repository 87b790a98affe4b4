package io.muninn.apps;

import io.muninn.api.Band;
import io.muninn.api.Schedule;
import java.util.Locale;

/**
 * How much a program of parallel loops computes, and who runs which indices.
 *
 * @param size of the problem, as the program's usage says
 * @param steps time steps or iterations, 0 or more
 * @param schedule of all its loops
 * @param isLocked whether it reduces under a lock
 */
public record LoopSize(int size, int steps, Schedule schedule, boolean isLocked) {
    /** Of a program that reduces on barriers, or not at all. */
    public LoopSize(int size, int steps, Schedule schedule) {
        this(size, steps, schedule, false);
    }

    /** The rows of a grid of {@link #size} rows between its first and its last. */
    public Band inner() {
        return new Band(1, Math.max(1, size - 1));
    }

    /** All rows of a grid, or elements of an array. */
    public Band all() {
        return new Band(0, size);
    }

    /** For verdicts, as in {@code grid of 64x64 after 20 steps}. */
    public String ofGrid() {
        return String.format(Locale.ROOT, "grid of %dx%d after %d steps", size, size, steps);
    }
}
