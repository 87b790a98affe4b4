package io.muninn.apps.tsp;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;

/**
 * A search that shares the shortest tour: its length is read without synchronization, both are
 * stored under a lock.
 *
 * <p><b>Threads.</b> The one it was made for.
 */
final class SharedSearch implements TourSearch {
    private final DsmNode node;
    private final DsmLock lock;
    private final ShortestTour tour;

    SharedSearch(DsmNode node, IntArray shortest) {
        this.node = node;
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
    }
}
