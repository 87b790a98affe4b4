package io.muninn.coherence.writeshared;

import io.muninn.spi.AdaptiveTwinRules;

/**
 * In how many intervals in a row a page was dirty. An interval or a few in which it was not do not
 * count, as a program's phases differ.
 *
 * @param times how many
 * @param interval the last of them
 */
record DirtyStreak(int times, long interval) {
    /** Of a page that was not dirty lately. */
    static final DirtyStreak NONE = new DirtyStreak(0, 0);

    /** From one interval to the next in the row, at most; less than hot pages are kept. */
    static final int STEP_MAX = 4;

    /** With one more interval in which the page was dirty. */
    DirtyStreak dirtyIn(long next) {
        return new DirtyStreak(next - interval <= STEP_MAX ? times + 1 : 1, next);
    }

    /** True if the page is to keep its twin. */
    boolean isHot(AdaptiveTwinRules rules) {
        return times >= rules.hotAfter();
    }
}
