package io.muninn.apps.tsp;

/**
 * Completes partial tours by recursion: the inner loop of all versions. A tour is abandoned when it
 * is at least as long as the shortest tour that this solver or the search knows.
 *
 * <p><b>Threads.</b> One at a time.
 */
final class TourSolver {
    /** Units of work between two reports: about 20 µs today, 15 ms in 1991. */
    private static final int GRAIN_UNITS = 8192;

    private final TourSearch search;
    private final int cities;
    private final int[] distances;
    private final int[] tour;

    /**
     * The shortest tour found by this solver. It is reported with a delay, because several shorter
     * tours may be found in quick succession.
     */
    private final int[] shortestHere;

    private int lengthHere = ShortestTour.NONE;
    private long units;

    /**
     * @param distances row by row
     */
    TourSolver(int cities, int[] distances, TourSearch search) {
        this.search = search;
        this.cities = cities;
        this.distances = distances;
        this.tour = new int[cities];
        this.shortestHere = new int[cities];
    }

    /** Searches all tours that begin with the given cities. */
    void solve(int[] begin) {
        System.arraycopy(begin, 0, tour, 0, begin.length);
        int left = (1 << cities) - 2;
        int length = 0;
        for (int i = 1; i < begin.length; i++) {
            left &= ~(1 << begin[i]);
            length += distances[begin[i - 1] * cities + begin[i]];
        }
        visit(begin.length, left, length);
        report();
    }

    private void report() {
        if (lengthHere < search.shortest()) {
            search.found(lengthHere, shortestHere);
        }
        search.worked(units);
        units = 0;
    }

    /**
     * Searches all tours that begin with the first {@code count} cities of {@code tour}.
     *
     * @param left bit set of the other cities
     * @param length length of the partial tour
     */
    private void visit(int count, int left, int length) {
        int row = tour[count - 1] * cities;
        int shortest = Math.min(search.shortest(), lengthHere);
        if (left == 0) {
            int whole = length + distances[row];
            if (whole < shortest) {
                lengthHere = whole;
                System.arraycopy(tour, 0, shortestHere, 0, cities);
            }
            return;
        }
        for (int rest = left; rest != 0; rest &= rest - 1) {
            int city = Integer.numberOfTrailingZeros(rest);
            int longer = length + distances[row + city];
            if (longer < shortest) {
                tour[count] = city;
                visit(count + 1, left & ~(1 << city), longer);
            }
        }
        units += Integer.bitCount(left);
        if (units >= GRAIN_UNITS) {
            report();
        }
    }
}
