package io.muninn.apps.tsp;

import io.muninn.api.IntArray;
import io.muninn.api.Verdict;

/**
 * The shortest known tour. Element 0 is its length; the other elements are its cities in order.
 *
 * <p><b>Threads.</b> Any thread may read the length. All other access needs the lock.
 */
final class ShortestTour {
    /** The length before there is a tour. */
    static final int NONE = Integer.MAX_VALUE;

    private final IntArray shortest;

    /**
     * @param shortest one more element than cities
     */
    ShortestTour(IntArray shortest) {
        this.shortest = shortest;
    }

    void reset() {
        shortest.set(0, NONE);
    }

    /** The length; a volatile load, so that loops repeat it. */
    int length() {
        return shortest.getVolatile(0);
    }

    /**
     * Stores a tour if it is shorter.
     *
     * @return true if the tour was stored
     */
    boolean offer(int length, int[] tour) {
        if (length >= shortest.get(0)) {
            return false;
        }
        for (int i = 0; i < tour.length; i++) {
            shortest.set(1 + i, tour[i]);
        }
        shortest.setVolatile(0, length);
        return true;
    }

    /** Checks that the tour is the shortest of the instance. */
    Verdict verify(TspInstance instance) {
        int cities = instance.cities();
        int[] tour = new int[cities];
        shortest.copyTo(1, tour, 0, cities);
        int length = length();
        int expected = HeldKarp.shortest(instance);
        if (length != expected) {
            return Verdict.wrong(
                    "tour of " + cities + " cities is " + length + " long, not " + expected);
        }
        int seen = 0;
        int sum = 0;
        for (int i = 0; i < cities; i++) {
            if (tour[i] < 0 || tour[i] >= cities || (seen & 1 << tour[i]) != 0) {
                return Verdict.wrong("city " + i + " of the tour is " + tour[i]);
            }
            seen |= 1 << tour[i];
            sum += instance.distance(tour[i], tour[(i + 1) % cities]);
        }
        if (sum != length) {
            return Verdict.wrong("tour that should be " + length + " long is " + sum + " long");
        }
        return Verdict.right(
                "tour of " + cities + " cities is " + length + " long, and none is shorter");
    }
}
