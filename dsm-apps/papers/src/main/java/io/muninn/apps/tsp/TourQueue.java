package io.muninn.apps.tsp;

/** A queue of partial tours to be searched. With function shipping it is the remote object. */
interface TourQueue {
    /**
     * Takes the most promising partial tour that a thread can complete without further division.
     * Expands or drops the tours before it. No tours are added afterwards: once the queue is empty,
     * it stays empty.
     *
     * @param shortest length of the shortest known tour; longer partial tours are dropped
     * @return the cities of the tour in order, city 0 first; empty if the queue is empty
     */
    int[] take(int shortest);
}
