package io.muninn.apps.tsp;

/**
 * How short a tour that begins with given cities can get: every city left is entered and left by
 * its two shortest edges at best, the ends of the partial tour by their shortest.
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
     * The least length of a tour.
     *
     * @param used set of the cities it begins with, bit by bit; neither all nor only city 0
     * @param last of these cities
     * @param length so far
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

    /** Distances that {@link #of} looks at. */
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
