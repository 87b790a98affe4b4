package io.muninn.agent.lifecycle;

import io.muninn.agent.NodeMachine;
import io.muninn.kernel.AgentRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds requests that other agents do not answer although they are there: those that have been
 * outstanding for three heartbeat limits, in which no message of another node has arrived, only
 * heartbeats. So nothing is overdue because much is transferred. Waits for other threads of the
 * program are no requests to agents, and last as long as they like.
 *
 * <p>Time is counted in looks, five per limit, and not by the clock, as {@link Liveness} counts it.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class UnansweredRequests {
    /** Heartbeat limits after which a request is overdue. */
    static final int LIMITS = 3;

    static final int LOOKS = LIMITS * Liveness.LOOKS_PER_LIMIT;

    private final Duration heartbeatLimit;
    private Map<Object, Integer> looks = new HashMap<>(); // at each request, by its key
    private long received; // messages, at the last look

    UnansweredRequests(Duration heartbeatLimit) {
        this.heartbeatLimit = heartbeatLimit;
    }

    /** As {@link #look(List, long)}, at the requests of a node. */
    Optional<String> look(NodeMachine node) {
        return look(node.oldestRequests(), node.received());
    }

    /**
     * Looks at the requests that are outstanding.
     *
     * @param oldest of each kind
     * @param receivedSoFar messages of other nodes
     * @return what is overdue, for the user
     */
    Optional<String> look(List<AgentRequest> oldest, long receivedSoFar) {
        boolean isQuiet = receivedSoFar == received;
        received = receivedSoFar;
        Map<Object, Integer> next = new HashMap<>();
        Optional<String> overdue = Optional.empty();
        for (AgentRequest each : oldest) {
            int count = isQuiet ? looks.getOrDefault(each.key(), -1) + 1 : 0;
            next.put(each.key(), count);
            if (count > LOOKS && overdue.isEmpty()) {
                overdue = Optional.of(text(each));
            }
        }
        looks = next;
        return overdue;
    }

    private String text(AgentRequest request) {
        return "no answer for "
                + heartbeatLimit.multipliedBy(LIMITS).toMillis()
                + " ms to its "
                + request.text()
                + ", while other nodes send heartbeats and nothing else: a message was lost or"
                + " forged on its way";
    }
}
