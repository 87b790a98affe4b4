package io.muninn.apps.tsp;

import io.muninn.api.LongArray;
import io.muninn.api.StructArray;
import java.lang.foreign.StructLayout;
import java.util.function.LongConsumer;

/**
 * The tour queue: a priority queue of indices into an array of partial tours, and a stack of unused
 * indices. All versions use it, over shared variables that a lock protects, or over local memory of
 * its owner.
 *
 * <p>It never overflows: if there is no room for the continuations of a partial tour, a thread
 * completes that tour without further division.
 *
 * <p><b>Threads.</b> One at a time.
 *
 * <p>Source: Munin §6.3. Departure: the lower bound of a tour is computed when it is added, and
 * stored with its index, instead of being computed again when it is removed.
 */
final class HeapTourQueue implements TourQueue {
    private static final int[] NONE = {};

    private final TspProblem problem;
    private final int[] distances;
    private final TourTable table;
    private final TourHeap heap;
    private final LowerBound bound;
    private final LongConsumer worked;

    /**
     * Creates a queue over the caller's memory.
     *
     * @param distances row by row
     * @param worked receives the number of distances read
     */
    HeapTourQueue(TspProblem problem, int[] distances, Memory memory, LongConsumer worked) {
        this.problem = problem;
        this.distances = distances;
        this.table = new TourTable(memory.tours);
        this.heap = new TourHeap(memory.slots);
        this.bound = new LowerBound(problem.cities(), distances);
        this.worked = worked;
    }

    /**
     * The memory of a queue.
     *
     * @param tours tours by slot, in {@link #layout}
     * @param slots one more element than {@code tours}
     */
    record Memory(StructArray tours, LongArray slots) {}

    /** The layout of the array of partial tours. */
    static StructLayout layout(TspProblem problem) {
        return TourTable.layout(problem.queuedCitiesMax());
    }

    /**
     * Creates a queue over local memory, which contains the first tour.
     *
     * @param worked receives the number of distances read
     */
    static HeapTourQueue local(TspProblem problem, LongConsumer worked) {
        Memory memory =
                new Memory(
                        StructArray.local(layout(problem), problem.slots()),
                        LongArray.local(problem.slots() + 1));
        int[] distances = problem.instance().distances();
        HeapTourQueue queue = new HeapTourQueue(problem, distances, memory, worked);
        queue.reset();
        return queue;
    }

    /** Initializes the memory of a queue, and adds the tour that consists of city 0 only. */
    void reset() {
        heap.reset();
        table.put(heap.add(0), new int[] {0});
    }

    @Override
    public int[] take(int shortest) {
        heap.dropFrom(shortest);
        while (heap.count() > 0) {
            int[] tour = table.tour(heap.removeFirst());
            int left = problem.cities() - tour.length;
            if (left <= problem.threshold() || left > heap.unused()) {
                return tour;
            }
            expand(tour, shortest);
            heap.dropFrom(shortest);
        }
        return NONE;
    }

    /** Adds a tour for every possible next city. */
    private void expand(int[] tour, int shortest) {
        int cities = problem.cities();
        int[] longer = new int[tour.length + 1];
        System.arraycopy(tour, 0, longer, 0, tour.length);
        int last = 0;
        int length = 0;
        int used = 0;
        for (int city : tour) {
            length += distances[last * cities + city];
            last = city;
            used |= 1 << city;
        }
        for (int city = 1; city < cities; city++) {
            if ((used & 1 << city) == 0) {
                int longerLength = length + distances[last * cities + city];
                int least = bound.of(used | 1 << city, city, longerLength);
                if (least < shortest) {
                    longer[tour.length] = city;
                    table.put(heap.add(least), longer);
                }
            }
        }
        int left = cities - tour.length;
        worked.accept(left * bound.units(left - 1));
    }
}
