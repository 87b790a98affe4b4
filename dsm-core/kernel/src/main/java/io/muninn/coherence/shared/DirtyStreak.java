package io.muninn.coherence.shared;

import io.muninn.spi.AdaptiveTwinRules;

/**
 * The number of consecutive intervals in which a page was dirty. A gap of a few intervals does not
 * end the streak, because a program's phases differ.
 *
 * @param times the number of intervals
 * @param interval the last of them
 */
public record DirtyStreak(int times, long interval) {
    /** The streak of a page that was not dirty recently. */
    public static final DirtyStreak NONE = new DirtyStreak(0, 0);

    /**
     * Largest distance between two intervals of a streak; smaller than the number of intervals for
     * which hot pages are kept.
     */
    public static final int STEP_MAX = 4;

    /** The streak with one more interval in which the page was dirty. */
    public DirtyStreak dirtyIn(long next) {
        return new DirtyStreak(next - interval <= STEP_MAX ? times + 1 : 1, next);
    }

    /** True if the page must keep its twin. */
    public boolean isHot(AdaptiveTwinRules rules) {
        return times >= rules.hotAfter();
    }
}
