package io.muninn.transport;

import io.muninn.transport.join.ClusterConfig;
import java.util.function.Supplier;

/**
 * The silence of one other node. It is counted in checks of this loop, five per heartbeat limit,
 * and not by the clock, so a node that was itself stopped does not declare the others lost: a stop
 * of any length counts as one check, and data that arrived in the meantime is read before the next.
 *
 * <p>After three silent checks a lasting link looks for another connection: who is in between may
 * have forgotten the old one. After six silent checks the node is lost, or after seven if its link
 * has no connection: a network that is back just before the limit needs time for a handshake.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class Silence {
    private static final int LONG_CHECKS = 3;

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
     * @param isCut whether the link has no connection
     * @param limits number of heartbeat limits after which a node is lost
     */
    Verdict judge(boolean arrived, boolean isCut, int limits) {
        checks = arrived ? 0 : checks + 1;
        if (checks > limits * ClusterConfig.CHECKS_PER_LIMIT + (isCut ? 1 : 0)) {
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
