package io.muninn.verify.check;

import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.sync.SyncMessage;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * For protocols that hold pages: a node that has obtained a page for a store keeps its access until
 * each thread that stopped at the page has entered a call, or for the hold time. If acquires
 * invalidate, a release withdraws write access, but the node keeps the ownership, by which it can
 * restore the access.
 */
final class HoldTimes implements Checker {
    static final String NAME = "hold times";

    private static final long NOT_HELD = -1;

    private final ClusterView overview;
    private final PerPage<long[]> obtained; // by node: time, or NOT_HELD
    private final PerPage<Map<SimNode, Map<Integer, ThreadMark>>> stops; // by thread
    private long holdNanos;
    private boolean isOver; // once a node is lost

    HoldTimes(ClusterView overview) {
        this.overview = overview;
        obtained = new PerPage<>(_ -> none());
        stops = new PerPage<>(_ -> new LinkedHashMap<>());
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
        if (event instanceof Event.FaultRaised fault && isHeld(fault.page())) {
            stopsOf(node, fault.page()).put(fault.thread().thread(), fault.thread());
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
                        lose(node, page, event);
                case Effect.Discard(PageId page) when isHeld(page) && !staysWithOwner(page) ->
                        lose(node, page, event);
                case Effect.CancelTimer(TimerId.HoldOver(PageId page))
                        when isHeld(page) && passesALock(effects) ->
                        lose(node, page, event);
                case Effect.Send(_, ProtocolMessage.Reply reply) -> {
                    for (PageId page : reply.pages()) {
                        if (isHeld(page) && reply.givesOwnership(page)) {
                            lose(node, page, event);
                        }
                    }
                }
                default -> {} // does not obtain or lose a page
            }
        }
    }

    /**
     * Whether a step passes a lock on. The pages of its sections are then no longer held, even
     * those that stay.
     */
    private static boolean passesALock(List<Effect> effects) {
        return effects.stream()
                .anyMatch(effect -> effect instanceof Effect.Send(_, SyncMessage.LockGrant _));
    }

    private boolean isHeld(PageId page) {
        return overview.traits(page).has(Trait.HELD);
    }

    /** Whether the loss of access is permitted, because only the loss of ownership counts. */
    private boolean staysWithOwner(PageId page) {
        return overview.traits(page).has(Trait.ACQUIRES_INVALIDATE);
    }

    private void lose(SimNode node, PageId page, Event event) {
        long[] times = obtained.of(page);
        long since = times[node.id().index()];
        times[node.id().index()] = NOT_HELD;
        long heldNanos = overview.simulation().nowNanos() - since;
        Map<Integer, ThreadMark> stopped = stopsOf(node, page);
        Optional<ThreadMark> waiting =
                stopped.values().stream().filter(mark -> mayWait(node, mark)).findAny();
        if (since != NOT_HELD && heldNanos < holdNanos && waiting.isPresent() && !isOver) {
            throw violation(
                    node.describe(page)
                            + " was obtained "
                            + heldNanos
                            + " ns ago and is given away, within the hold time of "
                            + holdNanos
                            + " ns, although no call is known of "
                            + waiting.get()
                            + ", at "
                            + event);
        }
        stopped.values().removeIf(mark -> !isStoppedAt(node, mark, page));
    }

    private Map<Integer, ThreadMark> stopsOf(SimNode node, PageId page) {
        return stops.of(page).computeIfAbsent(node, _ -> new LinkedHashMap<>());
    }

    /** Whether a thread may not have performed yet the access at which it stopped. */
    private static boolean mayWait(SimNode node, ThreadMark mark) {
        return !mark.isKnown() || node.thread(mark.thread()).calls() == mark.calls();
    }

    private static boolean isStoppedAt(SimNode node, ThreadMark mark, PageId page) {
        return mark.isKnown() && node.thread(mark.thread()).stoppedAt().equals(Optional.of(page));
    }
}
