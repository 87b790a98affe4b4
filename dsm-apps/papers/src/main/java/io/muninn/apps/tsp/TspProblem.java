package io.muninn.apps.tsp;

/**
 * An instance of TSP, and the parameters of its search.
 *
 * @param instance cities and distances
 * @param threshold cities left when a thread completes a tour alone, at least 1
 * @param slots room for partial tours in the queue, at least 1
 * @param refreshUnits units of work of a thread after which it asks all nodes for what they have
 *     stored; 0: never
 * @param counts whether the verdict says how many partial tours were looked at
 */
record TspProblem(
        TspInstance instance, int threshold, int slots, long refreshUnits, boolean counts) {
    /** Without refreshes and counts. */
    TspProblem(TspInstance instance, int threshold, int slots) {
        this(instance, threshold, slots, 0, false);
    }

    int cities() {
        return instance.cities();
    }

    /** Most cities of a partial tour in the queue: those that are left have to exceed threshold. */
    int queuedCitiesMax() {
        return Math.max(1, cities() - threshold);
    }
}
