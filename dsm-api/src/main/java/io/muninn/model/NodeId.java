package io.muninn.model;

/**
 * One member of a cluster. Ids are dense and count from 0; node 0 is the root.
 *
 * @param index 0 to {@link #NODES_MAX} - 1
 */
public record NodeId(int index) implements Comparable<NodeId> {
    /** Largest number of nodes in a simulated cluster. */
    public static final int NODES_MAX = 1024;

    /**
     * Largest number of nodes in a live cluster: in messages between agents and in the map of a
     * pool, a set of nodes is one 64-bit word.
     */
    public static final int LIVE_MAX = 64;

    /** The node that manages barriers and is the first probable owner of every page. */
    public static final NodeId ROOT = new NodeId(0);

    private static final NodeId[] INTERNED = intern();

    public NodeId {
        if (index < 0 || index >= NODES_MAX) {
            throw new IllegalArgumentException(
                    "node " + index + " is outside 0.." + (NODES_MAX - 1));
        }
    }

    /** Returns the node with this index, 0-based. Allocates nothing. */
    public static NodeId of(int index) {
        if (index < 0 || index >= NODES_MAX) {
            throw new IllegalArgumentException(
                    "node " + index + " is outside 0.." + (NODES_MAX - 1));
        }
        return INTERNED[index];
    }

    public boolean isRoot() {
        return index == 0;
    }

    /** Written by hand because a record's generated method is slow without C2, as in agents. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NodeId node && node.index == index;
    }

    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public int compareTo(NodeId other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return Integer.toString(index);
    }

    private static NodeId[] intern() {
        NodeId[] nodes = new NodeId[NODES_MAX];
        for (int i = 0; i < NODES_MAX; i++) {
            nodes[i] = new NodeId(i);
        }
        return nodes;
    }
}
