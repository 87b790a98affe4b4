package io.muninn.verify.check;

import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.Arrays;
import java.util.List;

/**
 * For protocols whose acquires invalidate: a fetched copy is not withdrawn before a thread has used
 * it or the hold time is over.
 */
final class FetchedCopies implements Checker {
    static final String NAME = "fetched copies";

    private static final long USED = Long.MIN_VALUE;

    private final ClusterView overview;
    private final PerPage<long[]> fetched; // by node and process: time, or USED
    private int processes;
    private long holdNanos;
    private boolean isOver; // once a node is lost

    FetchedCopies(ClusterView overview) {
        this.overview = overview;
        fetched =
                new PerPage<>(_ -> {
                    long[] none = new long[overview.nodes() * processes];
                    Arrays.fill(none, USED);
                    return none;
                });
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        holdNanos = simulation.cluster().holdNanos();
        processes = simulation.cluster().processes();
    }

    @Override
    public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
        use(thread, page);
    }

    @Override
    public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
        use(thread, page);
    }

    private void use(SimThread thread, PageId page) {
        fetched.of(page)[place(thread.node(), thread.process())] = USED;
    }

    private int place(SimNode node, MappingId process) {
        return node.id().index() * processes + process.index();
    }

    /** The processes whose access an effect with this mapping changes. */
    private List<MappingId> named(MappingId mapping) {
        return mapping.equals(MappingId.ALL)
                ? overview.simulation().cluster().nodeThreads().allProcesses()
                : List.of(mapping);
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        isOver |= event instanceof Event.PeerLost;
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ResumeFault(var mapping, PageId page, PageAccess _)
                        when isArrival(event) && isFetched(node, page) -> {
                    for (MappingId of : named(mapping)) {
                        if (isThreadStopped(node, of, page)) {
                            long now = overview.simulation().nowNanos();
                            fetched.of(page)[place(node, of)] = now;
                        }
                    }
                }
                case Effect.Withdraw(var mapping, PageId first, int count) -> {
                    for (MappingId of : named(mapping)) {
                        for (int i = 0; i < count; i++) {
                            lose(node, of, first.plus(i));
                        }
                    }
                }
                default -> {} // fetches and withdraws no page
            }
        }
    }

    private static boolean isArrival(Event event) {
        return event instanceof Event.MessageArrived
                || event instanceof Event.PoolDone
                || event instanceof Event.PageEntered;
    }

    /**
     * True for a copy that acquires may make stale. The page at its home is whole, and is not held.
     */
    private boolean isFetched(SimNode node, PageId page) {
        return overview.traits(page).has(Trait.ACQUIRES_INVALIDATE)
                && !overview.contract(node.id().index(), page).is(Mark.WHOLE);
    }

    /**
     * Whether a thread is stopped at the page. Otherwise the fault arrived after its thread was
     * woken, and no thread is about to use the page.
     */
    private static boolean isThreadStopped(SimNode node, MappingId process, PageId page) {
        for (SimThread thread : node.threads()) {
            if (thread.process().equals(process) && thread.isStoppedAt(page)) {
                return true;
            }
        }
        for (SimThread thread : node.ownThreads()) {
            if (thread.process().equals(process) && thread.isStoppedAt(page)) {
                return true;
            }
        }
        return false;
    }

    private void lose(SimNode node, MappingId process, PageId page) {
        int place = place(node, process);
        long since = fetched.of(page)[place];
        fetched.of(page)[place] = USED;
        long heldNanos = overview.simulation().nowNanos() - since;
        if (since != USED && heldNanos < holdNanos && !isOver) {
            throw violation(
                    node.describe(page)
                            + " was fetched "
                            + heldNanos
                            + " ns ago and is withdrawn unused, within the hold time of "
                            + holdNanos
                            + " ns");
        }
    }
}
