package io.muninn.coherence.invalidate;

import io.muninn.spi.GatedRelease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The invalidations of one node that are not acknowledged, and the releases that wait for them. A
 * round is what one store sends to all holders of its page.
 *
 * <p>A release waits for every round begun before it, whichever thread's store began it, and for
 * none begun after it: else a node whose threads go on storing would never release (Munin §7.1 and
 * §2.1.1, condition 2).
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
     * @return names it
     */
    long begin() {
        open.add(++lastRound);
        return lastRound;
    }

    /** Lets a release wait for all rounds begun so far; one of them at least is not over. */
    void await(GatedRelease leaving) {
        waiting.add(new Waiting(lastRound, leaving));
    }

    /**
     * The last acknowledgement of a round has come.
     *
     * @return the releases that are performed by it, in order
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
