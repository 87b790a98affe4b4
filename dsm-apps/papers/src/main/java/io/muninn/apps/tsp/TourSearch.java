package io.muninn.apps.tsp;

/** The part of a search outside of its inner loop, in which the versions differ. */
interface TourSearch {
    /**
     * Length of the shortest tour known; what is read may be out of date, and is then too large.
     */
    int shortest();

    /**
     * Hears of a tour shorter than {@link #shortest} was: the shortest found since {@link #worked}
     * was last called.
     *
     * @param tour all cities in order, city 0 first; only during the call
     */
    void found(int length, int[] tour);

    /**
     * Hears from time to time how much has been done.
     *
     * @param units cities looked at as the next of a tour, or distances for a lower bound
     */
    void worked(long units);
}
