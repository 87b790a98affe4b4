package io.muninn.apps.tsp;

/** Partial tours still to be looked at. With function shipping it is the shipped object. */
interface TourQueue {
    /**
     * Takes the most promising partial tour that can be completed alone; those before it are
     * expanded or dropped. No other is put in later: nothing left once is nothing left for ever.
     *
     * @param shortest length of the shortest tour known; longer partial tours are dropped
     * @return its cities in order, city 0 first; empty if nothing is left
     */
    int[] take(int shortest);
}
