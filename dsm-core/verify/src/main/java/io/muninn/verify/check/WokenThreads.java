package io.muninn.verify.check;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A release or an acquire does not withdraw a page from a thread that was woken at it and waits for
 * a processor. Otherwise a thread could stop at a page for ever while other threads of its node
 * synchronize, or other nodes refresh.
 */
final class WokenThreads implements Checker {
    static final String NAME = "woken threads";

    /** A stop at a page. */
    private static final class Stop {
        final MappingId process;
        final PageId page;
        final boolean isStore;
        boolean isResolved; // the thread is woken, and may perform its access
        Optional<Event> withdrawal = Optional.empty(); // began to withdraw the page
        Optional<Event> loss = Optional.empty(); // withdrew the page

        Stop(MappingId process, PageId page, boolean isStore) {
            this.process = process;
            this.page = page;
            this.isStore = isStore;
        }

        /** Whether an effect that names one process or all processes concerns this stop. */
        boolean isOf(MappingId named) {
            return named.equals(MappingId.ALL) || named.equals(process);
        }
    }

    private final ClusterView overview;
    private final Map<SimThread, Stop> stops = new LinkedHashMap<>(); // last stop of each thread
    private final Set<SimThread> ready = new LinkedHashSet<>(); // without a processor
    private boolean isOver; // once a node is lost

    WokenThreads(ClusterView overview) {
        this.overview = overview;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onFault(SimThread thread, PageId page, FaultKind kind) {
        Stop next = new Stop(thread.process(), page, kind != FaultKind.READ);
        Stop before = stops.put(thread, next);
        boolean isSame =
                before != null && before.page.equals(page) && before.isStore == next.isStore;
        if (isSame && before.loss.isPresent() && !isOver) {
            throw violation(
                    thread
                            + " was woken at "
                            + thread.node().describe(page)
                            + ", which was taken before it ran, at "
                            + before.loss.get());
        }
    }

    @Override
    public void onReady(SimThread thread) {
        ready.add(thread);
    }

    @Override
    public void onRun(SimThread thread, int processor) {
        ready.remove(thread);
    }

    @Override
    public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
        stops.remove(thread);
    }

    @Override
    public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
        stops.remove(thread);
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        isOver |= event instanceof Event.PeerLost;
        if (event instanceof Event.Sealed) {
            return;
        }
        if (event instanceof Event.AccessWithdrawn withdrawn) {
            onWithdrawn(node, withdrawn);
        }
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ResumeFault(_, PageId page, PageAccess access) ->
                        onResumed(node, page, access);
                case Effect.SetAccess(_, PageId page, PageAccess access)
                        when access == PageAccess.READ && overview.traits(page).has(Trait.TWINS) ->
                        onProtected(node, page, event);
                case Effect.Withdraw(MappingId of, PageId first, int count) -> {
                    for (int i = 0; i < count; i++) {
                        for (Stop stop : readyAt(node, first.plus(i))) {
                            if (stop.isOf(of)) {
                                stop.withdrawal = Optional.of(event);
                            }
                        }
                    }
                }
                case Effect.Discard(PageId page) -> // a protocol may also discard pages
                        onDiscarded(node, page);
                default -> {} // does not give or withdraw a page
            }
        }
    }

    private void onResumed(SimNode node, PageId page, PageAccess access) {
        for (Stop stop : at(node, page)) {
            stop.isResolved |= access == PageAccess.READ_WRITE || !stop.isStore;
            stop.withdrawal = Optional.empty();
            stop.loss = Optional.empty();
        }
    }

    private void onDiscarded(SimNode node, PageId page) {
        for (Stop stop : at(node, page)) {
            stop.isResolved = false;
        }
    }

    /** Records the loss of write access. A thread that is still being woken may lose the page. */
    private void onProtected(SimNode node, PageId page, Event event) {
        for (Stop stop : readyAt(node, page)) {
            if (stop.isStore) {
                stop.loss = Optional.of(event);
            }
        }
        for (Stop stop : at(node, page)) {
            if (stop.isStore && stop.loss.isEmpty()) {
                stop.isResolved = false;
            }
        }
    }

    private void onWithdrawn(SimNode node, Event.AccessWithdrawn withdrawn) {
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            boolean isTaken = !withdrawn.refused().contains(page);
            for (Stop stop : at(node, page)) {
                if (stop.withdrawal.isPresent() && stop.isOf(withdrawn.mapping())) {
                    stop.loss = isTaken ? stop.withdrawal : stop.loss;
                    stop.withdrawal = Optional.empty();
                }
            }
        }
    }

    private List<Stop> at(SimNode node, PageId page) {
        List<Stop> at = List.of();
        for (Map.Entry<SimThread, Stop> each : stops.entrySet()) {
            if (each.getKey().node() == node && each.getValue().page.equals(page)) {
                at = at.isEmpty() ? new ArrayList<>() : at;
                at.add(each.getValue());
            }
        }
        return at;
    }

    private List<Stop> readyAt(SimNode node, PageId page) {
        List<Stop> at = List.of();
        for (SimThread thread : ready) {
            Stop stop = thread.node() == node ? stops.get(thread) : null;
            if (stop != null && stop.page.equals(page) && stop.isResolved) {
                at = at.isEmpty() ? new ArrayList<>() : at;
                at.add(stop);
            }
        }
        return at;
    }
}
