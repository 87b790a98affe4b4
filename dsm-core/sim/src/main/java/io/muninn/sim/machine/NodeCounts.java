package io.muninn.sim.machine;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What the hardware of one node has done.
 *
 * @param caches of each processor that runs a thread
 * @param updates automatic updates that it has sent, as writer or as forwarder
 * @param updateBytes stores in these updates
 */
public record NodeCounts(
        List<CacheCounts> caches,
        Use memoryBus,
        Use ioBus,
        Use networkInterface,
        long updates,
        long updateBytes) {
    /**
     * The use of a server.
     *
     * @param busyNanos its time of service
     * @param waitedNanos total time that requests have waited for it
     */
    public record Use(long busyNanos, long waitedNanos) {
        static Use of(Server server) {
            return new Use(
                    server.busyPicos() / SmpModel.NANO, server.waitedPicos() / SmpModel.NANO);
        }

        private Use since(Use earlier) {
            return new Use(busyNanos - earlier.busyNanos, waitedNanos - earlier.waitedNanos);
        }
    }

    public NodeCounts {
        caches = List.copyOf(caches);
    }

    /** The difference from an earlier state of these counts. */
    public NodeCounts since(NodeCounts earlier) {
        return new NodeCounts(
                IntStream.range(0, caches.size())
                        .mapToObj(i -> caches.get(i).since(earlier.caches.get(i)))
                        .toList(),
                memoryBus.since(earlier.memoryBus),
                ioBus.since(earlier.ioBus),
                networkInterface.since(earlier.networkInterface),
                updates - earlier.updates,
                updateBytes - earlier.updateBytes);
    }
}
