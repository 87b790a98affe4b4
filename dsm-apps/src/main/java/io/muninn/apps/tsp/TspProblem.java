package io.muninn.apps.tsp;

/**
 * What TSP solves, and how.
 *
 * @param instance cities and distances
 * @param threshold cities left when a thread completes a tour alone, at least 1
 * @param slots room for partial tours in the queue, at least 1
 */
record TspProblem(TspInstance instance, int threshold, int slots) {
    int cities() {
        return instance.cities();
    }

    /** Most cities of a partial tour in the queue: those that are left have to exceed threshold. */
    int queuedCitiesMax() {
        return Math.max(1, cities() - threshold);
    }
}
