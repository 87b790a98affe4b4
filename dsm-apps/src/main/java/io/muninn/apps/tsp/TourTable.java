package io.muninn.apps.tsp;

import io.muninn.api.StructArray;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The array of structures that represent partial tours. A slot holds the cities of a tour in order,
 * city 0 first, and its length so far.
 *
 * <p><b>Threads.</b> Whoever holds the lock of the queue.
 */
final class TourTable {
    private final StructArray tours;
    private final long length;
    private final long count;
    private final long order;

    TourTable(StructArray tours) {
        this.tours = tours;
        length = tours.offset("length");
        count = tours.offset("count");
        order = tours.offset("order");
    }

    static StructLayout layout(int cities) {
        return MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName("length"),
                ValueLayout.JAVA_INT.withName("count"),
                MemoryLayout.sequenceLayout(cities, ValueLayout.JAVA_INT).withName("order"));
    }

    /** Stores a partial tour: the first {@code cities} of {@code tour}, so long so far. */
    void put(int slot, int[] tour, int cities, int lengthSoFar) {
        tours.setInt(slot, length, lengthSoFar);
        tours.setInt(slot, count, cities);
        for (int i = 0; i < cities; i++) {
            tours.setInt(slot, order + (long) i * Integer.BYTES, tour[i]);
        }
    }

    /** Length of a partial tour so far. */
    int length(int slot) {
        return tours.getInt(slot, length);
    }

    /** The cities of a partial tour, in order. */
    int[] tour(int slot) {
        int[] tour = new int[tours.getInt(slot, count)];
        for (int i = 0; i < tour.length; i++) {
            tour[i] = tours.getInt(slot, order + (long) i * Integer.BYTES);
        }
        return tour;
    }
}
