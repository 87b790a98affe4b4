package io.muninn.apps.tsp;

import io.muninn.api.StructArray;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The array of structures that represent partial tours. A slot holds the cities of a tour in order,
 * city 0 first. Slots are small, so that many fit on a page: a city is one byte, there is room only
 * for the cities of a tour in the queue, and the length of the tour is not stored.
 *
 * <p><b>Threads.</b> The holder of the queue's lock.
 */
final class TourTable {
    private final StructArray tours;
    private final long count;
    private final long order;

    TourTable(StructArray tours) {
        this.tours = tours;
        count = tours.offset("count");
        order = tours.offset("order");
    }

    /**
     * @param citiesMax most cities of a tour in the table, 1 to {@link TspInstance#CITIES_MAX}
     */
    static StructLayout layout(int citiesMax) {
        return MemoryLayout.structLayout(
                ValueLayout.JAVA_BYTE.withName("count"),
                MemoryLayout.sequenceLayout(citiesMax, ValueLayout.JAVA_BYTE).withName("order"));
    }

    /** Stores a partial tour. */
    void put(int slot, int[] tour) {
        tours.setByte(slot, count, (byte) tour.length);
        for (int i = 0; i < tour.length; i++) {
            tours.setByte(slot, order + i, (byte) tour[i]);
        }
    }

    /** The cities of a partial tour, in order. */
    int[] tour(int slot) {
        int[] tour = new int[tours.getByte(slot, count)];
        for (int i = 0; i < tour.length; i++) {
            tour[i] = tours.getByte(slot, order + i);
        }
        return tour;
    }
}
