package io.muninn.directory;

import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * A copyset that also knows how many copies each node has given up. Of two that differ on a node
 * the one that knows of more ended copies is newer; with as many, the one that names the node. So
 * they may be merged in any order, and no late message brings back a copy that is gone, or takes
 * away one that was fetched since. Immutable.
 *
 * <p>Source: Munin §3.4 has the set alone; there an entry is taken out when its node says so, which
 * is right only as long as that message and the node's next request cannot pass each other.
 *
 * @param nodes nodes that may hold a copy
 * @param ended the nodes that have given up a copy, in order of node; others have not
 */
public record DatedCopyset(Copyset nodes, List<Ended> ended) {
    public static final DatedCopyset EMPTY = new DatedCopyset(Copyset.EMPTY, List.of());

    /**
     * @param copies how many copies the node has given up, at least 1
     */
    public record Ended(NodeId node, int copies) {}

    public DatedCopyset {
        ended = List.copyOf(ended);
    }

    /** Nodes that have given up nothing. */
    public static DatedCopyset of(Copyset nodes) {
        return new DatedCopyset(nodes, List.of());
    }

    /** True if no other node holds a copy. */
    public boolean areOnlyOf(NodeId node) {
        return nodes.without(node).isEmpty();
    }

    /** Copies that a node is known to have given up. */
    public int ended(NodeId node) {
        for (int i = 0; i < ended.size(); i++) {
            Ended each = ended.get(i);
            if (each.node().index() >= node.index()) { // in order, so no other comes behind it
                return each.node().index() == node.index() ? each.copies() : 0;
            }
        }
        return 0;
    }

    /** True if the node is known to have got a copy after it gave up so many, or a later one. */
    public boolean knows(NodeId node, int copiesEnded) {
        int known = ended(node);
        return known > copiesEnded || known == copiesEnded && nodes.contains(node);
    }

    /** With the copy that a node has got after it gave up so many; as before if that is no news. */
    public DatedCopyset with(NodeId node, int copiesEnded) {
        if (knows(node, copiesEnded)) {
            return this;
        }
        return copiesEnded == 0 && ended.isEmpty()
                ? of(nodes.with(node))
                : replace(node, true, copiesEnded);
    }

    /** With one more copy of the node given up. */
    public DatedCopyset end(NodeId node) {
        return replace(node, false, ended(node) + 1);
    }

    /** True if all copies that the other one knows to be given up are known to be. */
    public boolean knowsEndsOf(DatedCopyset other) {
        for (Ended each : other.ended) {
            if (each.copies() > ended(each.node())) {
                return false;
            }
        }
        return true;
    }

    /** True if the copies that the other one names are there, the same ones. */
    public boolean stillHas(DatedCopyset other) {
        for (NodeId node : other.nodes) {
            if (!nodes.contains(node) || ended(node) != other.ended(node)) {
                return false;
            }
        }
        return true;
    }

    /** What both know together. */
    public DatedCopyset merge(DatedCopyset other) {
        if (other == this) { // as of most pages of a message
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
