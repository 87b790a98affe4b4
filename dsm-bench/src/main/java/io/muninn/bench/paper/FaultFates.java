package io.muninn.bench.paper;

import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolMessage;
import java.util.List;

/**
 * Counts what a thread finds when it stops at a page: whether its node has to ask another, and
 * whether a prefetch has been in time.
 *
 * <p>Source: Mowry, Chan and Lo, section 3.3 and figure 3.
 */
final class FaultFates {
    /**
     * Stops of threads at pages for which a node asks others, or has asked.
     *
     * @param alone not prefetched, or dropped
     * @param hits prefetched and here; these are no misses
     * @param late prefetched and under way; the node may repeat its requests
     * @param invalidated prefetched, but what came is not enough: others have stored meanwhile
     */
    record Counts(long alone, long hits, long late, long invalidated) {
        static final Counts NONE = new Counts(0, 0, 0, 0);

        long misses() {
            return alone + late + invalidated;
        }

        /** What would be misses without prefetches. */
        long all() {
            return misses() + hits;
        }
    }

    private long alone;
    private long hits;
    private long late;
    private long invalidated;
    private long hitsBefore;
    private long lateBefore;

    /** A node is about to deal with a stop. */
    void before(SimNode node) {
        hitsBefore = node.count(NodeCounter.PREFETCH_HITS);
        lateBefore = node.count(NodeCounter.PREFETCHES_LATE);
    }

    /**
     * The node has dealt with it.
     *
     * @param effects of that step
     */
    void after(SimNode node, PageId page, List<Effect> effects) {
        boolean isHit = node.count(NodeCounter.PREFETCH_HITS) > hitsBefore;
        boolean isLate = node.count(NodeCounter.PREFETCHES_LATE) > lateBefore;
        boolean asks = effects.stream().anyMatch(effect -> asksFor(page, effect));
        hits += isHit && !asks ? 1 : 0;
        late += isLate ? 1 : 0; // it may ask again
        invalidated += isHit && asks ? 1 : 0;
        alone += !isHit && !isLate && asks ? 1 : 0;
    }

    private static boolean asksFor(PageId page, Effect effect) {
        return effect instanceof Effect.Send send
                && send.message() instanceof ProtocolMessage.Request request
                && request.pages().contains(page);
    }

    Counts counts() {
        return new Counts(alone, hits, late, invalidated);
    }
}
