package io.muninn.apps.tsp;

import io.muninn.apps.Pattern;

/**
 * Cities and the distances between them, the same in both directions. Tours begin and end in city
 * 0.
 *
 * <p><b>Threads.</b> Any: it does not change.
 */
final class TspInstance {
    /** Most cities: a tour is verified by a table of 2^(cities - 1) times cities entries. */
    static final int CITIES_MAX = 20;

    /** Longest distance: the longest tour is far from the largest {@code int}. */
    static final int DISTANCE_MAX = 1_000_000;

    /**
     * Of the usual instance. With 18 cities TSP-C completes some 700 partial tours of it alone and
     * TSP-F some 1400, of 300 and 180 million units; the messages in Munin's table 3 speak of some
     * 450 in either.
     */
    static final long SEED = 1;

    private static final int SEEDED_DISTANCE_MAX = 100;

    private final int cities;
    private final int[] distances;

    /**
     * @param distances row by row, {@code cities} of them each; 0 from a city to itself
     */
    TspInstance(int cities, int[] distances) {
        this.cities = cities;
        this.distances = distances.clone();
    }

    /** Random distances from 1 to 100, a function of the arguments alone. */
    static TspInstance seeded(int cities, long seed) {
        int[] distances = new int[cities * cities];
        for (int row = 1; row < cities; row++) {
            for (int column = 0; column < row; column++) {
                long bits = Pattern.mix(seed ^ Pattern.mix((long) row << 32 | column));
                int distance = 1 + (int) Long.remainderUnsigned(bits, SEEDED_DISTANCE_MAX);
                distances[row * cities + column] = distance;
                distances[column * cities + row] = distance;
            }
        }
        return new TspInstance(cities, distances);
    }

    /** Number of cities, 1 to {@link #CITIES_MAX}. */
    int cities() {
        return cities;
    }

    int distance(int from, int to) {
        return distances[from * cities + to];
    }

    /** All distances, row by row; a copy. */
    int[] distances() {
        return distances.clone();
    }
}
