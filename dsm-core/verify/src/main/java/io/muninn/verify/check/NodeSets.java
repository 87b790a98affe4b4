package io.muninn.verify.check;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A set of nodes for each node. */
final class NodeSets {
    private final @Nullable BitSet[] sets; // by node; null until it is asked for

    NodeSets(int nodes) {
        sets = new BitSet[nodes];
    }

    BitSet of(int node) {
        BitSet set = sets[node];
        if (set == null) {
            set = new BitSet();
            sets[node] = set;
        }
        return set;
    }
}
