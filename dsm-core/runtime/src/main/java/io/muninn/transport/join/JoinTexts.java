package io.muninn.transport.join;

import io.muninn.model.NodeId;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the user is told about nodes that are awaited. */
final class JoinTexts {
    private final ClusterConfig config;
    private final NodeId self;
    private final Doorway doorway;
    private final Dialler[] diallers; // of lower nodes

    JoinTexts(ClusterConfig config, Doorway doorway, Dialler[] diallers) {
        this.config = config;
        this.self = config.self();
        this.doorway = doorway;
        this.diallers = diallers;
    }

    /**
     * The progress, at the root.
     *
     * @param haveJoined whether all nodes have joined
     * @param awaited those that have not, or that are not connected with every other
     */
    String progress(boolean haveJoined, List<NodeId> awaited, long seconds) {
        int nodes = config.nodes();
        return String.format(
                Locale.ROOT,
                "%d of %d nodes%s after %d s; awaiting %s",
                nodes - awaited.size(),
                nodes,
                haveJoined ? " are connected with every other" : " have joined",
                seconds,
                NodeNames.some(awaited));
    }

    /**
     * Why time is up.
     *
     * @param isJoining whether this node has not joined, or at the root another one
     * @param awaited nodes
     * @param lastTurnedAway the last connection that was refused; empty if there is none
     */
    String timeout(boolean isJoining, List<NodeId> awaited, String lastTurnedAway) {
        if (!doorway.unknownHost().isEmpty()) {
            return "host '" + doorway.unknownHost() + "', where it listens, was unknown";
        }
        if (self.isRoot() && isJoining) {
            String hint =
                    lastTurnedAway.isEmpty() ? "" : " (last turned away: " + lastTurnedAway + ")";
            return NodeNames.all(awaited) + " did not join" + hint;
        }
        if (self.isRoot()) {
            return NodeNames.all(awaited) + " did not reach the other nodes";
        }
        if (isJoining) {
            return "the root at "
                    + config.root()
                    + " did not answer ("
                    + diallers[0].lastReason()
                    + ")";
        }
        String reasons =
                awaited.stream()
                        .filter(node -> node.index() < self.index())
                        .map(node -> diallers[node.index()].lastReason())
                        .distinct()
                        .collect(Collectors.joining("; "));
        return "no connection with "
                + NodeNames.all(awaited)
                + (reasons.isEmpty() ? "" : " (" + reasons + ")");
    }
}
