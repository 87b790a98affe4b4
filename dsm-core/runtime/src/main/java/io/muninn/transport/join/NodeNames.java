package io.muninn.transport.join;

import io.muninn.model.NodeId;
import java.util.List;
import java.util.stream.Collectors;

/** Formats lists of nodes for messages. */
final class NodeNames {
    private static final int NAMES_MAX = 8;

    private NodeNames() {}

    /** As in "nodes 1, 2, 5". */
    static String all(List<NodeId> nodes) {
        String list = nodes.stream().map(NodeId::toString).collect(Collectors.joining(", "));
        return (nodes.size() == 1 ? "node " : "nodes ") + list;
    }

    /** As {@link #all}; of many nodes, the first ones and the number of the others. */
    static String some(List<NodeId> nodes) {
        int more = nodes.size() - NAMES_MAX;
        return more <= 0 ? all(nodes) : all(nodes.subList(0, NAMES_MAX)) + " and " + more;
    }
}
