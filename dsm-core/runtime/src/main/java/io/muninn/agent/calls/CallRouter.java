package io.muninn.agent.calls;

import io.muninn.api.Mode;
import io.muninn.api.SharedVariable;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.ipc.AdviceCode;
import io.muninn.ipc.Call;
import io.muninn.kernel.port.Tracer;
import io.muninn.kernel.port.Waiters;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Translates the application's synchronization calls to events, and outcomes to answers.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class CallRouter implements Waiters, CallServer.CallRoute {
    /** A waiting call, its start, and the counter that its duration is added to. */
    private record Waiting(CallConnection caller, long sinceNanos, Optional<NodeCounter> time) {}

    private static final Optional<NodeCounter> UNTIMED = Optional.empty();

    /** Prefix of the barriers at start and end, whose waits are not counted. */
    private static final String OWN_NAMES = "muninn.";

    private final MappingId application;
    private final Consumer<Event> events;
    private final LiveLockWords locks;
    private final Tracer tracer;
    private final Regions regions;
    private final int nodes;
    private final Map<WaiterId, Waiting> waiting = new HashMap<>();

    /** The regions of the node. */
    public interface Regions {
        /**
         * Adds a region after the others, with the options of this run, which may override its
         * protocol.
         *
         * @throws IllegalArgumentException if it cannot follow them, or if memory is exhausted
         */
        void allocate(RegionSpec declared);

        /** True if a region has such a page. */
        boolean hasPage(PageId page);

        /** The home of a page that a region has, as this node knows it. */
        NodeId home(PageId page);
    }

    /**
     * @param application the process whose threads call
     */
    public CallRouter(
            MappingId application,
            Consumer<Event> events,
            LiveLockWords locks,
            Tracer tracer,
            Regions regions,
            int nodes) {
        this.application = application;
        this.events = events;
        this.locks = locks;
        this.tracer = tracer;
        this.regions = regions;
        this.nodes = nodes;
    }

    /**
     * Handles a call of an application thread.
     *
     * @return false if the call is not one of synchronization
     * @throws MalformedMessageException if its fields are cut off or name a node that does not
     *     exist
     * @throws IllegalArgumentException if an identifier or a layout refuses them
     */
    @Override
    public boolean onCall(CallConnection caller, int call, WireReader body) {
        if (isWait(call) && waiting.containsKey(waiter(caller))) {
            rest(body);
            caller.refused(
                    "application thread "
                            + caller.thread()
                            + " waits already, on another thread of this process: each thread"
                            + " needs a DsmNode of its own");
            return true;
        }
        switch (call) {
            case Call.OPEN_LOCK -> openLock(caller, new LockId(CallConnection.readText(body)));
            case Call.ACQUIRE -> {
                LockId lock = new LockId(CallConnection.readText(body));
                NodeCounter time =
                        ObjectId.isTurn(lock) ? NodeCounter.CALL_NANOS : NodeCounter.LOCK_NANOS;
                WaiterId waiter = begin(caller, Optional.of(time));
                events.accept(new Event.AcquireCalled(waiter, lock, body.i64()));
            }
            case Call.CANCEL ->
                    events.accept(
                            new Event.AcquireCancelled(
                                    waiter(caller), new LockId(CallConnection.readText(body))));
            case Call.RELEASE ->
                    events.accept(
                            new Event.ReleaseCalled(new LockId(CallConnection.readText(body))));
            case Call.GONE_ON -> {} // every call reports that
            case Call.RELEASE_NOTICE -> events.accept(new Event.ReleaseNoticed());
            case Call.BARRIER -> barrier(caller, body);
            case Call.GATHER -> {
                WaiterId waiter = begin(caller, Optional.of(NodeCounter.BARRIER_NANOS));
                BarrierId barrier = new BarrierId(CallConnection.readText(body));
                events.accept(new Event.GatherCalled(waiter, barrier, body.u32()));
            }
            case Call.WAIT ->
                    events.accept(new Event.WaitCalled(begin(caller, UNTIMED), condition(body)));
            case Call.AWAIT_SIGNAL -> {
                WaiterId waiter = begin(caller, Optional.of(NodeCounter.CONDITION_NANOS));
                ConditionId condition = condition(body);
                events.accept(new Event.SignalAwaited(waiter, condition, body.i64()));
            }
            case Call.CANCEL_SIGNAL ->
                    events.accept(new Event.SignalAwaitCancelled(waiter(caller)));
            case Call.SIGNAL -> {
                WaiterId waiter = begin(caller, UNTIMED);
                ConditionId condition = condition(body);
                events.accept(new Event.SignalCalled(waiter, condition, body.flag()));
            }
            case Call.SEND -> send(caller, body);
            case Call.RECEIVE -> {
                WaiterId waiter = begin(caller, Optional.of(NodeCounter.RECEIVE_NANOS));
                events.accept(new Event.ReceiveCalled(waiter, body.u32(), body.u32(), body.i64()));
            }
            case Call.PREFETCH -> prefetch(body);
            case Call.ADVISE -> advise(body);
            case Call.HOME -> home(caller, body);
            case Call.REFRESH -> events.accept(new Event.RefreshCalled(begin(caller, UNTIMED)));
            case Call.ADD_REGION -> addRegion(caller, body);
            case Call.SEALED -> events.accept(new Event.Sealed(begin(caller, UNTIMED)));
            default -> {
                return onObjectCall(caller, call, body);
            }
        }
        return true;
    }

    private boolean onObjectCall(CallConnection caller, int call, WireReader body) {
        switch (call) {
            case Call.DECLARE -> {
                events.accept(
                        new Event.ObjectDeclared(
                                object(body),
                                node(body),
                                body.i64(),
                                CallConnection.readText(body)));
                caller.done(0);
            }
            case Call.SHIP ->
                    events.accept(
                            new Event.ShipCalled(
                                    begin(caller, Optional.of(NodeCounter.CALL_NANOS)),
                                    object(body),
                                    node(body),
                                    body.i64(),
                                    rest(body)));
            case Call.POST ->
                    events.accept(
                            new Event.PostCalled(
                                    begin(caller, Optional.of(NodeCounter.CALL_NANOS)),
                                    body.i64(),
                                    object(body),
                                    node(body),
                                    body.i64(),
                                    rest(body)));
            case Call.COMPLETIONS -> events.accept(new Event.ReplyAwaited(begin(caller, UNTIMED)));
            case Call.SERVE -> {
                ObjectId object = object(body);
                if (body.flag()) {
                    events.accept(new Event.CallServed(object, rest(body)));
                }
                events.accept(new Event.ServeCalled(begin(caller, UNTIMED), object));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static ObjectId object(WireReader body) {
        return new ObjectId(CallConnection.readText(body));
    }

    private NodeId node(WireReader body) {
        int index = body.u32();
        if (index < 0 || index >= nodes) {
            throw new MalformedMessageException("node " + index + " of " + nodes);
        }
        return NodeId.of(index);
    }

    private static Bytes rest(WireReader body) {
        return new Bytes(body.bytes(body.remaining()));
    }

    @Override
    public void resume(WaiterId waiter, Outcome outcome) {
        Waiting done = waiting.remove(waiter);
        if (done == null) {
            throw new IllegalStateException(waiter + " does not wait, and got " + outcome);
        }
        long nanos = System.nanoTime() - done.sinceNanos();
        done.time().ifPresent(time -> tracer.count(time, nanos));
        done.caller().answer(outcome);
    }

    private static boolean isWait(int call) {
        return switch (call) {
            case Call.ACQUIRE, Call.BARRIER, Call.GATHER, Call.SEND, Call.RECEIVE, Call.SEALED ->
                    true;
            case Call.REFRESH -> true;
            case Call.WAIT, Call.AWAIT_SIGNAL, Call.SIGNAL -> true;
            case Call.SHIP, Call.POST, Call.COMPLETIONS, Call.SERVE -> true;
            default -> false;
        };
    }

    private WaiterId waiter(CallConnection caller) {
        return new WaiterId(application, caller.thread());
    }

    private WaiterId begin(CallConnection caller, Optional<NodeCounter> time) {
        WaiterId waiter = waiter(caller);
        waiting.put(waiter, new Waiting(caller, System.nanoTime(), time));
        return waiter;
    }

    private static ConditionId condition(WireReader body) {
        LockId lock = new LockId(CallConnection.readText(body));
        return new ConditionId(lock, CallConnection.readText(body));
    }

    private void barrier(CallConnection caller, WireReader body) {
        BarrierId barrier = new BarrierId(CallConnection.readText(body));
        int parties = body.u32();
        long limitNanos = body.i64();
        Bytes contribution = rest(body);
        boolean isMeeting = contribution.length() == 0 && barrier.name().startsWith(OWN_NAMES);
        if (contribution.length() > 0) {
            checkContribution(contribution);
        }
        WaiterId waiter =
                begin(caller, isMeeting ? UNTIMED : Optional.of(NodeCounter.BARRIER_NANOS));
        events.accept(new Event.BarrierReached(waiter, barrier, parties, limitNanos, contribution));
    }

    private static void checkContribution(Bytes bytes) {
        try {
            Contribution.decode(bytes.array());
        } catch (IllegalArgumentException wrong) {
            throw new MalformedMessageException(wrong.getMessage());
        }
    }

    private void openLock(CallConnection caller, LockId lock) {
        OptionalInt slot = locks.open(lock);
        if (slot.isPresent()) {
            caller.done(slot.getAsInt());
        } else {
            caller.refused("lock '" + lock + "' is one more than this node can open");
        }
    }

    private void send(CallConnection caller, WireReader body) {
        NodeId to = node(body);
        int tag = body.u32();
        events.accept(new Event.SendCalled(begin(caller, UNTIMED), to, tag, rest(body)));
    }

    private void prefetch(WireReader body) {
        PageId first = new PageId(body.u32(), body.u32());
        int count = body.u32();
        Mode mode = body.flag() ? Mode.WRITE : Mode.READ;
        if (count < 1
                || count > SharedVariable.PREFETCH_PAGES_MAX
                || !regions.hasPage(first)
                || !regions.hasPage(first.plus(count - 1))) {
            throw new MalformedMessageException("prefetch of " + count + " pages from " + first);
        }
        events.accept(new Event.PrefetchCalled(application, first, count, mode));
    }

    private void advise(WireReader body) {
        PageId first = new PageId(body.u32(), body.u32());
        int count = body.u32();
        PageAdvice advice = AdviceCode.of(body.u8(), body.u32(), CallConnection.readText(body));
        if (count < 1
                || first.index() > Integer.MAX_VALUE - count
                || !regions.hasPage(first)
                || !regions.hasPage(first.plus(count - 1))) {
            throw new MalformedMessageException("advice on " + count + " pages from " + first);
        }
        events.accept(new Event.Advised(first, count, advice));
    }

    private void home(CallConnection caller, WireReader body) {
        PageId page = new PageId(body.u32(), body.u32());
        if (!regions.hasPage(page)) {
            throw new MalformedMessageException("home of " + page);
        }
        caller.done(regions.home(page).index());
    }

    private void addRegion(CallConnection caller, WireReader body) {
        int index = body.u32();
        RegionSpec region = RegionSpec.parse(index, CallConnection.readText(body));
        try {
            regions.allocate(region);
            caller.done(0);
        } catch (IllegalArgumentException refused) {
            caller.refused(refused.getMessage());
        }
    }
}
