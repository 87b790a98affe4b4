package io.muninn.bench.paper;

import io.muninn.sim.Traffic.Sent;
import java.util.Map;

/**
 * What a sweep costs.
 *
 * @param byKind messages of all nodes, by kind
 * @param nanos virtual time
 * @param keptBytes the most notices and diffs that a node has kept at a time, since the start
 */
record ScalingCost(int nodes, Map<String, Sent> byKind, long nanos, long keptBytes) {
    /** Messages of a node, on average. */
    double messages() {
        return (double) all().messages() / nodes;
    }

    /** Bytes of a node, on average. */
    double bytes() {
        return (double) all().bytes() / nodes;
    }

    /** Bytes of messages but for the contents of pages and diffs, by node and page of the grid. */
    double metadataOfPage() {
        return (double) metadata(all()) / nodes / ScalingPoint.PAGES_OF_NODE;
    }

    /** Bytes but for the contents of pages and diffs. */
    static long metadata(Sent sent) {
        return sent.bytes() - sent.contentBytes();
    }

    private Sent all() {
        return byKind.values().stream().reduce(Sent.NOTHING, Sent::plus);
    }
}
