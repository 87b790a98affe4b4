package io.muninn.apps.tsp;

/**
 * A lower bound of the length of a tour that begins with given cities. Every remaining city
 * contributes its two shortest edges, each end of the partial tour its shortest edge; the sum is
 * halved.
 *
 * <p><b>Threads.</b> One at a time.
 */
final class LowerBound {
    private final int cities;
    private final int[] distances;

    /**
     * @param distances row by row
     */
    LowerBound(int cities, int[] distances) {
        this.cities = cities;
        this.distances = distances;
    }

    /**
     * A lower bound of the length of a tour.
     *
     * @param used bit set of the cities with which it begins; not all cities, and not only city 0
     * @param last the last of these cities
     * @param length length of the partial tour
     */
    int of(int used, int last, int length) {
        int twice = shortest(last, used) + shortest(0, used);
        int inner = used & ~(1 | 1 << last);
        for (int city = 1; city < cities; city++) {
            if ((used & 1 << city) == 0) {
                twice += twoShortest(city, inner | 1 << city);
            }
        }
        return length + (twice + 1) / 2;
    }

    /** Number of distances that {@link #of} reads. */
    long units(int left) {
        return (left + 2L) * cities;
    }

    private int shortest(int from, int used) {
        int shortest = Integer.MAX_VALUE;
        for (int to = 0; to < cities; to++) {
            if ((used & 1 << to) == 0) {
                shortest = Math.min(shortest, distances[from * cities + to]);
            }
        }
        return shortest;
    }

    private int twoShortest(int from, int excluded) {
        int shortest = Integer.MAX_VALUE;
        int second = Integer.MAX_VALUE;
        for (int to = 0; to < cities; to++) {
            if ((excluded & 1 << to) == 0) {
                int distance = distances[from * cities + to];
                second = Math.min(second, Math.max(shortest, distance));
                shortest = Math.min(shortest, distance);
            }
        }
        return shortest + second;
    }
}
