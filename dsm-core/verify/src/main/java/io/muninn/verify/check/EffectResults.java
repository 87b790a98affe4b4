package io.muninn.verify.check;

import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Each result of an effect is delivered as an event, once, in the order of the effects, and before
 * the next outside event. The initialization is sealed after all withdrawals of access are done.
 */
final class EffectResults implements Checker {
    static final String NAME = "effect results";

    /** Pending results of a node's effects. */
    private static final class Awaited {
        final Queue<Object> results = new ArrayDeque<>(); // an identification of each, in order
        int withdrawals;
        boolean isSealing;
        boolean isOver; // once a node is lost
    }

    private final List<Awaited> ofNodes = new ArrayList<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        simulation.nodes().forEach(_ -> ofNodes.add(new Awaited()));
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        Awaited awaited = ofNodes.get(node.id().index());
        switch (event) {
            case Event.DiffSaved saved -> take(node, awaited, saved.page(), event);
            case Event.LockReclaimed reclaimed -> take(node, awaited, reclaimed.lock(), event);
            case Event.ReadersClosed closed -> take(node, awaited, closed.lock(), event);
            case Event.PoolDone(_, PoolResult result, _) ->
                    take(node, awaited, subject(result), event);
            case Event.AccessWithdrawn _ -> awaited.withdrawals--;
            case Event.Sealed _ -> awaited.isSealing = true;
            case Event.PeerLost _ -> awaited.isOver = true;
            default -> {} // no result of an effect
        }
    }

    private void take(SimNode node, Awaited awaited, Object subject, Event event) {
        Object first = awaited.results.poll();
        if (!subject.equals(first)) {
            throw violation("node " + node.id() + " steps " + event + ", not that of " + first);
        }
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        Awaited awaited = ofNodes.get(node.id().index());
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.SaveDiff save -> awaited.results.add(save.page());
                case Effect.ReclaimLock reclaim -> awaited.results.add(reclaim.lock());
                case Effect.CloseReaders close -> awaited.results.add(close.lock());
                case Effect.UsePool(_, PoolCall call) ->
                        subject(call).ifPresent(awaited.results::add);
                case Effect.Withdraw _ -> awaited.withdrawals++;
                case Effect.ResumeWaiter _ when awaited.isSealing -> seal(node, awaited);
                default -> {} // has no result
            }
        }
    }

    /** Identifies the result of a call; empty if it has none. */
    private static Optional<Object> subject(PoolCall call) {
        return switch (call) {
            case PoolCall.Enter(var page) -> Optional.of(page);
            case PoolCall.Publish(var stores) -> Optional.of(stores);
            case PoolCall.TakeMapped() -> Optional.of(PoolResult.Mapped.class);
            case PoolCall.TakeList() -> Optional.of(PoolResult.Listed.class);
            case PoolCall.Check _ -> Optional.of(PoolResult.Checked.class);
            case PoolCall.Offer _, PoolCall.Fill _, PoolCall.Leave _ -> Optional.empty();
            case PoolCall.Store(long number, _, _) -> Optional.of(number);
            case PoolCall.StoreFirst(long number, _, _) -> Optional.of(number);
            case PoolCall.Serve(var node, var served) ->
                    subject(served).map(about -> List.of(node, about));
        };
    }

    private static Object subject(PoolResult result) {
        return switch (result) {
            case PoolResult.Entered(var page, _) -> page;
            case PoolResult.Published(var stores, _) -> stores;
            case PoolResult.Mapped _, PoolResult.Listed _, PoolResult.Checked _ ->
                    result.getClass();
            case PoolResult.Stored(long number, _) -> number;
            case PoolResult.Served(var node, var served) -> List.of(node, subject(served));
        };
    }

    private void seal(SimNode node, Awaited awaited) {
        awaited.isSealing = false;
        if (awaited.withdrawals > 0 && !awaited.isOver) {
            throw violation(
                    "node "
                            + node.id()
                            + " is sealed, and access to pages is still withdrawn "
                            + awaited.withdrawals
                            + " times");
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        Queue<Object> missing = ofNodes.get(node.id().index()).results;
        if (!missing.isEmpty()) {
            throw violation("node " + node.id() + " has no result of " + missing + " of " + event);
        }
    }
}
