package io.muninn.apps.tsp;

/** The part of a search in which the versions differ, outside of the inner loop. */
interface TourSearch {
    /** Length of the shortest known tour. An outdated value is too large. */
    int shortest();

    /**
     * Called with a tour that is shorter than {@link #shortest} was: the shortest tour found since
     * the last call of {@link #worked}.
     *
     * @param tour all cities in order, city 0 first; valid during the call only
     */
    void found(int length, int[] tour);

    /**
     * Called periodically with the amount of work since the last call.
     *
     * @param units number of cities tried as the next of a tour, and of distances read for lower
     *     bounds
     */
    void worked(long units);
}
