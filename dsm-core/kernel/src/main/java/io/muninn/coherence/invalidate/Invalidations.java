package io.muninn.coherence.invalidate;

import io.muninn.spi.GatedRelease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The unacknowledged invalidations of one node, and the releases that wait for them. A round is the
 * set of invalidations that one store sends to all holders of its page.
 *
 * <p>A release waits for every round begun before it, regardless of the thread that stored, and for
 * none begun after it: otherwise a node whose threads continue to store would never release (Munin
 * §7.1 and §2.1.1, condition 2).
 */
final class Invalidations {
    private record Waiting(long lastRound, GatedRelease leaving) {}

    private final TreeSet<Long> open = new TreeSet<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(); // in order of their last rounds
    private long lastRound;

    /** True when every invalidation that this node has sent is acknowledged. */
    boolean isIdle() {
        return open.isEmpty();
    }

    /**
     * Begins a round.
     *
     * @return identifies the round
     */
    long begin() {
        open.add(++lastRound);
        return lastRound;
    }

    /** Makes a release wait for all rounds begun so far; at least one of them is open. */
    void await(GatedRelease leaving) {
        waiting.add(new Waiting(lastRound, leaving));
    }

    /**
     * Ends a round, whose last acknowledgement has arrived.
     *
     * @return the releases that this performs, in order
     */
    List<GatedRelease> end(long round) {
        open.remove(round);
        List<GatedRelease> performed = new ArrayList<>();
        while (!waiting.isEmpty()
                && (open.isEmpty() || open.first() > waiting.peek().lastRound())) {
            performed.add(waiting.remove().leaving());
        }
        return performed;
    }
}
