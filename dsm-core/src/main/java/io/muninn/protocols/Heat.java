package io.muninn.protocols;

import io.muninn.protocol.TwinRules;

/**
 * In how many intervals in a row a page was dirty. An interval or a few in which it was not do not
 * count, as a program's phases differ.
 *
 * @param times how many
 * @param interval the last of them
 */
record Heat(int times, long interval) {
    /** Of a page that was not dirty lately. */
    static final Heat NONE = new Heat(0, 0);

    /** From one interval to the next in the row, at most; less than hot pages are kept. */
    static final int STEP_MAX = 4;

    /** With one more interval in which the page was dirty. */
    Heat dirtyIn(long next) {
        return new Heat(next - interval <= STEP_MAX ? times + 1 : 1, next);
    }

    /** True if the page is to keep its twin. */
    boolean isHot(TwinRules rules) {
        return times >= rules.hotAfter();
    }
}
