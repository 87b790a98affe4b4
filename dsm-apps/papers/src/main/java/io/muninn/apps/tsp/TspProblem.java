package io.muninn.apps.tsp;

/**
 * An instance of TSP, and the parameters of its search.
 *
 * @param instance cities and distances
 * @param threshold number of remaining cities at which a thread completes a tour without division,
 *     at least 1
 * @param slots capacity of the queue in partial tours, at least 1
 * @param refreshUnits units of work of a thread between two refreshes, which fetch the stores of
 *     all nodes; 0 for no refreshes
 * @param counts whether the verdict contains the number of partial tours taken
 */
record TspProblem(
        TspInstance instance, int threshold, int slots, long refreshUnits, boolean counts) {
    /** A problem without refreshes and counts. */
    TspProblem(TspInstance instance, int threshold, int slots) {
        this(instance, threshold, slots, 0, false);
    }

    int cities() {
        return instance.cities();
    }

    /**
     * Most cities of a partial tour in the queue; the remaining cities must be at least the
     * threshold.
     */
    int queuedCitiesMax() {
        return Math.max(1, cities() - threshold);
    }
}
