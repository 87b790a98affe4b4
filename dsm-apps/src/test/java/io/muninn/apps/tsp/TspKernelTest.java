package io.muninn.apps.tsp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.StructArray;
import io.muninn.api.Verdict;
import java.lang.foreign.StructLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts that all versions of TSP have in common, each against something slow and plain. */
class TspKernelTest {
    /** Keeps what is found. */
    private static final class Search implements TourSearch {
        private final ShortestTour tour;
        private int found;
        private int reports;
        private long units;

        Search(int cities) {
            tour = new ShortestTour(IntArray.local(cities + 1));
            tour.reset();
        }

        @Override
        public int shortest() {
            return tour.length();
        }

        @Override
        public void found(int length, int[] cities) {
            assertTrue(tour.offer(length, cities), "not shorter");
            found++;
        }

        @Override
        public void worked(long more) {
            units += more;
            reports++;
        }
    }

    /** Length of the shortest tour that begins so, by trying all. */
    private static int shortest(TspInstance instance, int[] begin) {
        if (begin.length == instance.cities()) {
            int length = instance.distance(begin[begin.length - 1], 0);
            for (int i = 1; i < begin.length; i++) {
                length += instance.distance(begin[i - 1], begin[i]);
            }
            return length;
        }
        int shortest = Integer.MAX_VALUE;
        for (int city = 1; city < instance.cities(); city++) {
            if (!contains(begin, city)) {
                shortest = Math.min(shortest, shortest(instance, with(begin, city)));
            }
        }
        return shortest;
    }

    private static boolean contains(int[] tour, int city) {
        for (int other : tour) {
            if (other == city) {
                return true;
            }
        }
        return false;
    }

    private static int[] with(int[] tour, int city) {
        int[] longer = new int[tour.length + 1];
        System.arraycopy(tour, 0, longer, 0, tour.length);
        longer[tour.length] = city;
        return longer;
    }

    private static int length(TspInstance instance, int[] begin) {
        int length = 0;
        for (int i = 1; i < begin.length; i++) {
            length += instance.distance(begin[i - 1], begin[i]);
        }
        return length;
    }

    @Test
    void heldAndKarp_findWhatTryingAllFinds() {
        for (int cities = 1; cities <= 8; cities++) {
            for (long seed = 1; seed <= 5; seed++) {
                TspInstance instance = TspInstance.seeded(cities, seed);

                assertEquals(shortest(instance, new int[] {0}), HeldKarp.shortest(instance));
            }
        }
    }

    @Test
    void seededInstance_isSymmetricAndDependsOnTheSeed() {
        TspInstance instance = TspInstance.seeded(7, 1);
        for (int from = 0; from < 7; from++) {
            for (int to = 0; to < 7; to++) {
                int distance = instance.distance(from, to);
                assertEquals(distance, instance.distance(to, from));
                assertTrue(from == to ? distance == 0 : distance >= 1 && distance <= 100);
            }
        }
        assertArrayEquals(instance.distances(), TspInstance.seeded(7, 1).distances());
        assertTrue(instance.distance(0, 1) != TspInstance.seeded(7, 2).distance(0, 1));
    }

    @Test
    void lowerBound_isNeverAboveTheShortestTourThatBeginsSo() {
        int tight = 0;
        for (long seed = 1; seed <= 20; seed++) {
            TspInstance instance = TspInstance.seeded(7, seed);
            LowerBound bound = new LowerBound(7, instance.distances());
            for (int city = 1; city < 7; city++) {
                int[] two = {0, city};
                int[] three = with(two, city == 6 ? 1 : city + 1);
                for (int[] begin : new int[][] {two, three}) {
                    int used = 0;
                    for (int each : begin) {
                        used |= 1 << each;
                    }
                    int last = begin[begin.length - 1];
                    int least = bound.of(used, last, length(instance, begin));
                    int shortest = shortest(instance, begin);
                    assertTrue(least <= shortest, least + " above " + shortest);
                    tight += least == shortest ? 1 : 0;
                }
            }
        }
        assertTrue(tight > 0, "a bound that is never reached says little");
    }

    @Test
    void lowerBoundWithOneCityLeft_isTheOnlyTour() {
        TspInstance instance = TspInstance.seeded(5, 4);
        LowerBound bound = new LowerBound(5, instance.distances());
        int[] begin = {0, 2, 4, 1};

        int least = bound.of(0b10111, 1, length(instance, begin));

        assertEquals(shortest(instance, begin), least);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void solver_findsTheShortestTourThatBeginsSo(int cities) {
        for (long seed = 1; seed <= 10; seed++) {
            TspInstance instance = TspInstance.seeded(cities, seed);
            Search search = new Search(cities);
            int[] begin = cities < 3 ? new int[] {0} : new int[] {0, 2};

            new TourSolver(cities, instance.distances(), search).solve(begin);

            assertEquals(shortest(instance, begin), search.shortest());
            assertEquals(1, search.found, "what is found at once is told once");
        }
    }

    @Test
    void solver_tellsTheShortestOfWhatItFoundInEveryReport() {
        int foundLater = 0;
        for (long seed = 1; seed <= 10; seed++) {
            TspInstance instance = TspInstance.seeded(11, seed);
            Search search = new Search(11);

            new TourSolver(11, instance.distances(), search).solve(new int[] {0});

            assertTrue(search.tour.verify(instance).right());
            assertTrue(search.found <= search.reports, search.found + " times");
            foundLater += search.found - 1;
        }
        assertTrue(foundLater > 0, "one tour is no search");
    }

    @Test
    void solverThatFindsNothingShorter_tellsNothing() {
        TspInstance instance = TspInstance.seeded(8, 1);
        Search search = new Search(8);
        TourSolver solver = new TourSolver(8, instance.distances(), search);
        solver.solve(new int[] {0});
        int found = search.found;

        solver.solve(new int[] {0, 2});
        solver.solve(new int[] {0});

        assertEquals(found, search.found);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 50, 1000})
    void queueWithHoweverLittleRoom_givesEveryTourThatMatters(int slots) {
        for (long seed = 1; seed <= 10; seed++) {
            for (int threshold = 1; threshold <= 8; threshold++) {
                TspProblem problem = new TspProblem(TspInstance.seeded(8, seed), threshold, slots);
                Search search = new Search(8);
                HeapTourQueue queue = HeapTourQueue.local(problem, search::worked);
                int[] distances = problem.instance().distances();
                TourSolver solver = new TourSolver(8, distances, search);

                int[] begin = queue.take(search.shortest());
                while (begin.length > 0) {
                    boolean isShort = 8 - begin.length <= threshold;
                    assertTrue(isShort || slots < 1000, begin.length + " cities given out");
                    solver.solve(begin);
                    begin = queue.take(search.shortest());
                }

                Verdict verdict = search.tour.verify(problem.instance());
                assertTrue(verdict.right(), verdict.detail());
                assertTrue(search.units > 0);
            }
        }
    }

    @Test
    void queue_givesTheMostPromisingFirstAndDropsTheRest() {
        TspInstance instance = TspInstance.seeded(8, 1);
        LowerBound bound = new LowerBound(8, instance.distances());
        HeapTourQueue queue = HeapTourQueue.local(new TspProblem(instance, 6, 100), _ -> {});
        int[] first = queue.take(ShortestTour.NONE);
        int[] second = queue.take(ShortestTour.NONE);

        int least = bound.of(1 | 1 << first[1], first[1], length(instance, first));
        int next = bound.of(1 | 1 << second[1], second[1], length(instance, second));

        assertEquals(2, first.length);
        assertTrue(least <= next, least + " after " + next);
        assertEquals(0, queue.take(next).length, "none is shorter");
        assertEquals(0, queue.take(ShortestTour.NONE).length, "dropped for good");
    }

    @Test
    void partialTour_liesInItsSlotAndNoOther() {
        StructArray memory = StructArray.local(TourTable.layout(5), 3);
        TourTable table = new TourTable(memory);

        table.put(0, new int[] {0, 4, 3, 2, 1});
        table.put(2, new int[] {0, 1, 2});
        table.put(1, new int[] {0, 19});

        assertArrayEquals(new int[] {0, 4, 3, 2, 1}, table.tour(0));
        assertArrayEquals(new int[] {0, 19}, table.tour(1));
        assertArrayEquals(new int[] {0, 1, 2}, table.tour(2));
    }

    /**
     * What makes the usual instance the usual one, see {@link TspInstance#SEED}, and what makes its
     * queue small: that of one of Munin's pages for the slots and one for the tours is enough.
     */
    @ParameterizedTest
    @CsvSource({"13, 315", "12, 367"})
    void usualInstance_handsOutFewToursFromOneOfMuninsPagesEach(int threshold, int tours) {
        int onPage = 8192 / Long.BYTES;
        TspInstance instance = TspInstance.seeded(18, TspInstance.SEED);
        TspProblem problem = new TspProblem(instance, threshold, 4096);
        LongArray slots = LongArray.local(problem.slots() + 1);
        StructLayout layout = HeapTourQueue.layout(problem);
        StructArray table = StructArray.local(layout, problem.slots());
        HeapTourQueue queue =
                new HeapTourQueue(
                        problem,
                        instance.distances(),
                        new HeapTourQueue.Memory(table, slots),
                        _ -> {});
        queue.reset();
        for (int i = onPage; i <= problem.slots(); i++) {
            slots.set(i, -1); // no slot of the table
        }

        int shortest = HeldKarp.shortest(instance);
        int handedOut = 0;
        for (int node = 0; node < 16; node++) { // as many begin before there is a tour
            handedOut += queue.take(ShortestTour.NONE).length > 0 ? 1 : 0;
        }
        while (queue.take(shortest).length > 0) {
            handedOut++;
        }

        assertEquals(tours, handedOut);
        assertTrue(onPage * layout.byteSize() <= 8192, layout.byteSize() + " bytes a tour");
    }

    @Test
    void wrongTours_areFoundAndNamed() {
        TspInstance instance =
                new TspInstance(4, new int[] {0, 1, 5, 1, 1, 0, 1, 5, 5, 1, 0, 1, 1, 5, 1, 0});
        IntArray memory = IntArray.local(5);
        ShortestTour tour = new ShortestTour(memory);
        tour.reset();
        assertEquals("tour of 4 cities is 2147483647 long, not 4", detail(tour, instance));
        tour.offer(12, new int[] {0, 2, 1, 3});
        assertEquals("tour of 4 cities is 12 long, not 4", detail(tour, instance));
        tour.offer(4, new int[] {0, 2, 1, 3});
        assertEquals("tour that should be 4 long is 12 long", detail(tour, instance));
        memory.set(2, 3);
        assertEquals("city 3 of the tour is 3", detail(tour, instance));
        memory.copyFrom(1, new int[] {0, 1, 2, 3}, 0, 4);
        assertTrue(tour.verify(instance).right());
        assertTrue(!tour.offer(4, new int[] {0, 3, 2, 1}), "not shorter");
    }

    private static String detail(ShortestTour tour, TspInstance instance) {
        Verdict verdict = tour.verify(instance);
        assertTrue(!verdict.right());
        return verdict.detail();
    }
}
