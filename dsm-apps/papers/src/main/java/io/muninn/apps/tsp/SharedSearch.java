package io.muninn.apps.tsp;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;

/**
 * A search that shares the shortest tour. The length is read without synchronization; length and
 * tour are stored under a lock. Under a protocol whose stores become visible at acquires, a thread
 * reads the length of its last acquire; a refresh is an acquire.
 *
 * <p><b>Threads.</b> Confined to one thread.
 */
final class SharedSearch implements TourSearch {
    private final DsmNode node;
    private final DsmLock lock;
    private final ShortestTour tour;
    private final long refreshUnits;
    private long unitsSinceRefresh;
    private long units;

    /**
     * @param refreshUnits units of work between two refreshes; 0 for no refreshes
     */
    SharedSearch(DsmNode node, IntArray shortest, long refreshUnits) {
        this.node = node;
        this.refreshUnits = refreshUnits;
        this.lock = node.lock("shortest");
        this.tour = new ShortestTour(shortest);
    }

    @Override
    public int shortest() {
        return tour.length();
    }

    @Override
    public void found(int length, int[] cities) {
        lock.lock();
        try {
            tour.offer(length, cities);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void worked(long units) {
        node.work(units);
        this.units += units;
        unitsSinceRefresh += units;
        if (refreshUnits > 0 && unitsSinceRefresh >= refreshUnits) {
            unitsSinceRefresh = 0;
            node.refresh();
        }
    }

    /** Sum of the arguments of {@link #worked}. */
    long units() {
        return units;
    }
}
