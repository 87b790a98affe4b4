package io.muninn.apps.tsp;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;

/**
 * A search that shares the shortest tour: its length is read without synchronization, both are
 * stored under a lock. Under a protocol that brings stores only to who acquires something, the
 * length is as old as the thread's last acquire; a refresh is one.
 *
 * <p><b>Threads.</b> The one it was made for.
 */
final class SharedSearch implements TourSearch {
    private final DsmNode node;
    private final DsmLock lock;
    private final ShortestTour tour;
    private final long refreshUnits;
    private long unitsSinceRefresh;
    private long units;

    /**
     * @param refreshUnits units of work after which the stores of all nodes are asked for; 0: never
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
