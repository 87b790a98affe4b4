package io.muninn.sim.check;

import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.Arrays;
import java.util.List;

/**
 * Protocols that hold pages: a node that has obtained a page to store to it keeps that access for
 * the hold time, so that its threads get on. Where acquires invalidate, a release protects its
 * pages, and the node keeps the right to get the access back: it gives no ownership away.
 */
final class HoldTimes implements Checker {
    static final String NAME = "hold times";

    private static final long NOT_HELD = -1;

    private final ClusterView overview;
    private final PerPage<long[]> obtained; // by node: when, or NOT_HELD
    private long holdNanos;
    private boolean isOver; // once a node is lost

    HoldTimes(ClusterView overview) {
        this.overview = overview;
        obtained = new PerPage<>(_ -> none());
    }

    private long[] none() {
        long[] times = new long[overview.nodes()];
        Arrays.fill(times, NOT_HELD);
        return times;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        holdNanos = simulation.cluster().holdNanos();
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        isOver |= event instanceof Event.PeerLost;
        if (event instanceof Event.Sealed) {
            return;
        }
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ResumeFault(_, PageId page, PageAccess access)
                        when access == PageAccess.READ_WRITE
                                && event instanceof Event.MessageArrived
                                && isHeld(page) ->
                        obtained.of(page)[node.id().index()] = overview.simulation().nowNanos();
                case Effect.SetAccess(_, PageId page, PageAccess _)
                        when isHeld(page) && !staysWithOwner(page) ->
                        lose(node, page);
                case Effect.Discard(PageId page) when isHeld(page) && !staysWithOwner(page) ->
                        lose(node, page);
                case Effect.Send(_, ProtocolMessage.Reply reply) -> {
                    for (PageId page : reply.pages()) {
                        if (isHeld(page) && reply.givesOwnership(page)) {
                            lose(node, page);
                        }
                    }
                }
                default -> {} // obtains and loses no page
            }
        }
    }

    private boolean isHeld(PageId page) {
        return overview.traits(page).has(Trait.HELD);
    }

    /** Whether less access is no loss: only what is sent is. */
    private boolean staysWithOwner(PageId page) {
        return overview.traits(page).has(Trait.ACQUIRES_INVALIDATE);
    }

    private void lose(SimNode node, PageId page) {
        long[] times = obtained.of(page);
        long since = times[node.id().index()];
        times[node.id().index()] = NOT_HELD;
        long heldNanos = overview.simulation().nowNanos() - since;
        if (since != NOT_HELD && heldNanos < holdNanos && !isOver) {
            throw violation(
                    node.describe(page)
                            + " was obtained "
                            + heldNanos
                            + " ns ago and is given away, within the hold time of "
                            + holdNanos
                            + " ns");
        }
    }
}
