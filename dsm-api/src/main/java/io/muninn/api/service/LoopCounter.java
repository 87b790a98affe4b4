package io.muninn.api.service;

import io.muninn.api.Schedule;

/** Assigns the indices of dynamic and guided loops; a shipped object. */
interface LoopCounter {
    /** No index is left. */
    long NONE = -1;

    /**
     * @param start number of the loop in the run
     * @param items of that loop
     * @param threads of the team
     * @return the next item and one past the last, in the upper and the lower half; or {@link
     *     #NONE}
     */
    long next(long start, int items, Schedule schedule, int threads);

    /** The served object. It runs one call at a time. */
    final class Served implements LoopCounter {
        private long start;
        private int next;

        @Override
        public long next(long ofStart, int items, Schedule schedule, int threads) {
            if (ofStart > start) { // the first request of this loop
                start = ofStart;
                next = 0;
            }
            int left = ofStart == start ? items - next : 0;
            if (left == 0) {
                return NONE;
            }
            boolean isGuided = schedule.kind() == Schedule.Kind.GUIDED;
            int share = isGuided ? left / (2 * threads) : 0;
            int from = next;
            next += Math.min(left, Math.max(share, schedule.chunk()));
            return (long) from << Integer.SIZE | next;
        }
    }
}
