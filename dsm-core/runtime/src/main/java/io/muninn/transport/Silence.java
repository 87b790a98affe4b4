package io.muninn.transport;

import io.muninn.transport.join.ClusterConfig;
import java.util.function.Supplier;

/**
 * The silence of one other node. It is counted in checks of this loop, five per heartbeat limit,
 * and not by the clock, so a node that was itself stopped does not declare the others lost: a stop
 * of any length counts as one check, and data that arrived in the meantime is read before the next.
 *
 * <p>After three silent checks a lasting link looks for another connection: who is in between may
 * have forgotten the old one. After six silent checks the node is lost, or after eight if its link
 * lasts: when a network is back just before the limit, there must be time for a handshake.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class Silence {
    private static final int LONG_CHECKS = 3;
    private static final int CHECKS_OF_HANDSHAKE = 2;

    /** What a check finds. */
    enum Verdict {
        NONE,
        LONG,
        LOST
    }

    private int checks;
    private String cut = ""; // why the link has no connection

    /** Something else than data shows that the node lives. */
    void end() {
        checks = 0;
        cut = "";
    }

    /** The link has no connection. */
    void cut(String reason) {
        cut = reason;
    }

    /**
     * Judges what has arrived since the last check.
     *
     * @param lasts whether the link can have another connection
     * @param limits number of heartbeat limits after which a node is lost
     */
    Verdict judge(boolean arrived, boolean lasts, int limits) {
        checks = arrived ? 0 : checks + 1;
        int more = lasts ? CHECKS_OF_HANDSHAKE : 0;
        if (checks > limits * ClusterConfig.CHECKS_PER_LIMIT + more) {
            return Verdict.LOST;
        }
        return checks >= limits * LONG_CHECKS ? Verdict.LONG : Verdict.NONE;
    }

    /** Why the node is lost. */
    String reason(ClusterConfig config, int limits, Supplier<String> whyNotMended) {
        long millis = limits * config.heartbeatLimit().toMillis();
        return cut.isEmpty()
                ? "silent for " + millis + " ms"
                : cut + ", and did not go on within " + millis + " ms: " + whyNotMended.get();
    }
}
