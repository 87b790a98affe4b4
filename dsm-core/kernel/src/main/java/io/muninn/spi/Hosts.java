package io.muninn.spi;

import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Which nodes of a run share a host, and with it the memory of the host's pool. A host is named by
 * its first node, the one with the lowest number.
 *
 * @param firsts the first node of each node's host, by node
 */
public record Hosts(List<NodeId> firsts) {
    /**
     * @throws IllegalArgumentException if a host is not named by its first node
     */
    public Hosts {
        firsts = List.copyOf(firsts);
        for (int i = 0; i < firsts.size(); i++) {
            int first = firsts.get(i).index();
            if (first > i || firsts.get(first).index() != first) {
                throw new IllegalArgumentException(
                        "node " + i + " is on the host of node " + first + ", not its first");
            }
        }
    }

    /** All nodes on one host. */
    public static Hosts one(int nodes) {
        return blocks(nodes, 1);
    }

    /**
     * Consecutive nodes on each host, as evenly as possible.
     *
     * @param hosts 1 to {@code nodes}
     */
    public static Hosts blocks(int nodes, int hosts) {
        if (hosts < 1 || hosts > nodes) {
            throw new IllegalArgumentException(hosts + " hosts for " + nodes + " nodes");
        }
        List<NodeId> firsts = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            int host = ((i + 1) * hosts - 1) / nodes;
            firsts.add(NodeId.of(host * nodes / hosts));
        }
        return new Hosts(firsts);
    }

    /** The first node on the host of a node. */
    public NodeId of(NodeId node) {
        return firsts.get(node.index());
    }

    /** Whether two nodes are on one host. */
    public boolean areTogether(NodeId one, NodeId other) {
        return of(one).equals(of(other));
    }

    /** The first nodes of all hosts but that of a node, in order. */
    public List<NodeId> othersOf(NodeId node) {
        return firsts.stream()
                .distinct()
                .filter(first -> !first.equals(of(node)))
                .sorted()
                .toList();
    }

    /** True if all nodes are on one host. */
    public boolean isOne() {
        return firsts.stream().allMatch(NodeId.ROOT::equals);
    }
}
