package io.muninn.directory;

import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * A copyset that also records how many copies each node has given up. If two differ on a node, the
 * one with more ended copies is newer; with equal numbers, the one that contains the node. So
 * copysets can be merged in any order, and a late message can neither restore a copy that has ended
 * nor remove one fetched since. Immutable.
 *
 * <p>Source: Munin §3.4 has only the set; there a node's message removes its entry, which is
 * correct only if that message and the node's next request cannot overtake each other.
 *
 * @param nodes nodes that may hold a copy
 * @param ended the nodes that have given up copies, in node order; others have not
 */
public record DatedCopyset(Copyset nodes, List<Ended> ended) {
    public static final DatedCopyset EMPTY = new DatedCopyset(Copyset.EMPTY, List.of());

    /**
     * @param copies number of copies that the node has given up, at least 1
     */
    public record Ended(NodeId node, int copies) {}

    public DatedCopyset {
        ended = List.copyOf(ended);
    }

    /** A copyset of nodes that have given up no copy. */
    public static DatedCopyset of(Copyset nodes) {
        return new DatedCopyset(nodes, List.of());
    }

    /** True if no other node holds a copy. */
    public boolean areOnlyOf(NodeId node) {
        return nodes.without(node).isEmpty();
    }

    /** The number of copies that a node is known to have given up. */
    public int ended(NodeId node) {
        for (int i = 0; i < ended.size(); i++) {
            Ended each = ended.get(i);
            if (each.node().index() >= node.index()) { // in node order, so no later entry matches
                return each.node().index() == node.index() ? each.copies() : 0;
            }
        }
        return 0;
    }

    /**
     * True if the node is known to have received a copy after it gave up {@code copiesEnded}, or a
     * later copy.
     */
    public boolean knows(NodeId node, int copiesEnded) {
        int known = ended(node);
        return known > copiesEnded || known == copiesEnded && nodes.contains(node);
    }

    /**
     * Adds the copy that a node received after it gave up {@code copiesEnded}; returns this object
     * if that is already known.
     */
    public DatedCopyset with(NodeId node, int copiesEnded) {
        if (knows(node, copiesEnded)) {
            return this;
        }
        return copiesEnded == 0 && ended.isEmpty()
                ? of(nodes.with(node))
                : replace(node, true, copiesEnded);
    }

    /** Records that the node has given up one more copy. */
    public DatedCopyset end(NodeId node) {
        return replace(node, false, ended(node) + 1);
    }

    /** True if this copyset knows of all ended copies that the other knows of. */
    public boolean knowsEndsOf(DatedCopyset other) {
        for (Ended each : other.ended) {
            if (each.copies() > ended(each.node())) {
                return false;
            }
        }
        return true;
    }

    /** True if this copyset still contains the same copies as the other. */
    public boolean stillHas(DatedCopyset other) {
        for (NodeId node : other.nodes) {
            if (!nodes.contains(node) || ended(node) != other.ended(node)) {
                return false;
            }
        }
        return true;
    }

    /** Combines the knowledge of both. */
    public DatedCopyset merge(DatedCopyset other) {
        if (other == this) { // the case for most pages of a message
            return this;
        }
        if (ended.isEmpty() && other.ended.isEmpty()) {
            Copyset both = nodes.union(other.nodes);
            return both.equals(nodes) ? this : of(both);
        }
        DatedCopyset merged = this;
        for (NodeId node : other.nodes) {
            merged = merged.with(node, other.ended(node));
        }
        for (Ended each : other.ended) {
            if (each.copies() > merged.ended(each.node())) {
                merged = merged.replace(each.node(), false, each.copies());
            }
        }
        return merged;
    }

    private DatedCopyset replace(NodeId node, boolean holds, int copies) {
        List<Ended> more = new ArrayList<>(ended.size() + 1);
        for (Ended each : ended) {
            if (each.node().index() < node.index()) {
                more.add(each);
            }
        }
        if (copies > 0) {
            more.add(new Ended(node, copies));
        }
        for (Ended each : ended) {
            if (each.node().index() > node.index()) {
                more.add(each);
            }
        }
        return new DatedCopyset(holds ? nodes.with(node) : nodes.without(node), more);
    }
}
