package io.muninn.agent.memory;

import io.muninn.nativefault.PoolSegment;
import io.muninn.pool.CheckedWords;
import io.muninn.pool.CoherentMap;
import io.muninn.pool.MapAudit;
import io.muninn.pool.PoolLayout;
import io.muninn.pool.PoolRules;
import io.muninn.spi.WeakRules;

/**
 * The pool of a run whose nodes are all served by one agent: the memory of all nodes, and the
 * coherent map of its pages. The machine pages of the regions are its pages.
 *
 * <p><b>Threads.</b> The agent's event loop; applications use the segment at the same time.
 */
public final class HostPool {
    private final PoolSegment segment;
    private final CoherentMap map;
    private final MapAudit audit;

    private final int nodes;

    private HostPool(PoolSegment segment, CoherentMap map, MapAudit audit, int nodes) {
        this.segment = segment;
        this.map = map;
        this.audit = audit;
        this.nodes = nodes;
    }

    /**
     * Creates the pool of a run.
     *
     * @param run identifies it; not 0
     * @param pages machine pages of the regions of a node
     * @param nodes of the run
     * @throws io.muninn.nativefault.NativeCallException if the machine refuses the memory
     */
    public static HostPool create(long run, long pages, int nodes, WeakRules weak) {
        PoolRules rules =
                new PoolRules(
                        weak.notices() == WeakRules.Notices.TRANSITION,
                        weak.unsafeAfter(),
                        weak.safeAfter());
        // kernels announce stores, so traps do not
        PoolSegment segment =
                PoolSegment.create(
                        run,
                        pages,
                        nodes,
                        new PoolSegment.Rules(
                                rules.listsAtTransition(), rules.noticesMax(), false));
        PoolLayout layout = new PoolLayout(Math.toIntExact(pages), nodes);
        CheckedWords words = new CheckedWords(layout, rules, new SegmentWords(segment.words()));
        return new HostPool(
                segment, new CoherentMap(layout, rules, words), new MapAudit(layout, words), nodes);
    }

    /** What every process that attaches receives. */
    PoolSegment segment() {
        return segment;
    }

    CoherentMap map() {
        return map;
    }

    MapAudit audit() {
        return audit;
    }

    /** Number of nodes of the run. */
    int nodes() {
        return nodes;
    }
}
