package io.muninn.agent.calls;

import io.muninn.api.SharedVariable;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.spi.RegionSpec;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallCodec;
import io.muninn.kernel.port.Tracer;
import io.muninn.kernel.port.Waiters;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.PageLoads;
import io.muninn.spi.WaiterId;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Translates the application's synchronization calls to events, and outcomes to answers.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class CallRouter implements Waiters, CallServer.CallRoute {
    /** A call that waits, and its start. */
    private record Waiting(CallConnection caller, long sinceNanos, Event.Waiting call) {}

    private final NodeThreads threads;
    private final Consumer<Event> events;
    private final LiveLockWords locks;
    private final Tracer tracer;
    private final Regions regions;
    private final int nodes;
    private final Listener listener;
    private final Map<WaiterId, Waiting> waiting = new HashMap<>();

    /** Is told of each call that waits. */
    public interface Listener {
        /** Is told nothing. */
        Listener NONE = new Listener() {};

        /** A call begins to wait. */
        default void onBegun(Event.Waiting call) {}

        /** A call is about to be answered. */
        default void onAnswered(Event.Waiting call, long beginNanos, long endNanos) {}

        /** A line of the program has stored to a page, and was seen so often. */
        default void onStored(PageId page, String line, int times) {}
    }

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

        /** The number of granules of a page that a region has. */
        int granules(PageId page);

        /** Size of the remote memory, in bytes. */
        long remoteBytes();

        /** The home of a page that a region has, as this node knows it; programs name it so. */
        NodeId home(PageId page);
    }

    /**
     * @param threads of the node
     * @param nodes as the program counts them: processes
     * @param listener is told of each call that waits
     */
    public CallRouter(
            NodeThreads threads,
            Consumer<Event> events,
            LiveLockWords locks,
            Tracer tracer,
            Regions regions,
            int nodes,
            Listener listener) {
        this.threads = threads;
        this.events = events;
        this.locks = locks;
        this.tracer = tracer;
        this.regions = regions;
        this.nodes = nodes;
        this.listener = listener;
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
        switch (call) {
            case Call.OPEN_LOCK -> {
                LockId lock = new LockId(CallCodec.text(body));
                opened(caller, locks.open(lock), lock.name());
            }
            case Call.OPEN_READ_WRITE_LOCK -> {
                ReadWriteLockId lock = new ReadWriteLockId(CallCodec.text(body));
                opened(caller, locks.open(lock), lock.name());
            }
            case Call.GONE_ON -> {} // every call reports that
            case Call.HOME -> home(caller, body);
            case Call.STORED -> stored(caller, body);
            case Call.ADD_REGION -> addRegion(caller, body);
            case Call.JOIN, Call.READY, Call.CLOSE, Call.FAILED, Call.PLACES -> {
                return false;
            }
            default -> {
                Event event = CallCodec.read(call, waiter(caller), body);
                check(event);
                onEvent(caller, event);
            }
        }
        return true;
    }

    private void onEvent(CallConnection caller, Event event) {
        switch (event) {
            case Event.Waiting call -> begin(caller, call);
            case Event.CallServed(ObjectId object, _) -> {
                events.accept(event);
                begin(caller, new Event.ServeCalled(waiter(caller), object));
            }
            case Event.ObjectDeclared _, Event.Loaded _ -> {
                events.accept(event);
                caller.done(0);
            }
            default -> events.accept(event);
        }
    }

    private void begin(CallConnection caller, Event.Waiting call) {
        Waiting begun = new Waiting(caller, System.nanoTime(), call);
        if (waiting.putIfAbsent(call.waiter(), begun) == null) {
            listener.onBegun(call);
            events.accept(call);
        } else {
            caller.refused(
                    "application thread "
                            + caller.thread()
                            + " waits already, on another thread of this process: each thread"
                            + " needs a DsmNode of its own");
        }
    }

    private WaiterId waiter(CallConnection caller) {
        return new WaiterId(threads.processOf(caller.thread()), caller.thread());
    }

    /**
     * Repeats the checks of the application, whose bytes are not trusted.
     *
     * @throws MalformedMessageException if a field is out of range
     */
    private void check(Event event) {
        switch (event) {
            case Event.BarrierReached call -> checkContribution(call.contribution());
            case Event.LocalAcquireCalled call -> checkProcess(call.releaser());
            case Event.SendCalled call -> checkNode(call.to());
            case Event.ObjectDeclared declared -> checkNode(declared.node());
            case Event.ShipCalled call -> checkNode(call.to());
            case Event.PostCalled call -> checkNode(call.to());
            case Event.RemoteCalled call -> checkOperations(call.to(), call.operations(), true);
            case Event.RemotePosted call ->
                    checkOperations(call.to(), call.operations(), call.number() != Event.NO_ANSWER);
            case Event.RemoteAwaited(_, NodeId to, WordCondition condition, long _) -> {
                checkNode(to);
                checkWord(condition);
            }
            case Event.PrefetchCalled(_, PageId first, int count, _) -> {
                if (count > SharedVariable.PREFETCH_PAGES_MAX) {
                    throw new MalformedMessageException("prefetch of " + count + " pages");
                }
                checkPages(first, count);
            }
            case Event.Advised(PageId first, int count, _) -> checkPages(first, count);
            case Event.Loaded(var loads) -> loads.forEach(this::checkLoads);
            default -> {}
        }
    }

    private void checkProcess(MappingId process) {
        if (process.index() >= threads.processes()) {
            throw new MalformedMessageException(
                    "process " + process + " of " + threads.processes());
        }
    }

    private void checkNode(NodeId node) {
        if (node.index() >= nodes) {
            throw new MalformedMessageException("node " + node + " of " + nodes);
        }
    }

    private void checkLoads(PageLoads loads) {
        checkPages(loads.page(), 1);
        int granules = regions.granules(loads.page());
        if (loads.granules().length() > granules) {
            throw new MalformedMessageException(
                    "loads of page " + loads.page() + ", which has " + granules + " granules");
        }
    }

    private void checkPages(PageId first, int count) {
        if (count < 1
                || first.index() > Integer.MAX_VALUE - count
                || !regions.hasPage(first)
                || !regions.hasPage(first.plus(count - 1))) {
            throw new MalformedMessageException(count + " pages from " + first);
        }
    }

    private void checkOperations(NodeId to, Bytes operations, boolean hasAnswer) {
        checkNode(to);
        try {
            int answer = RemoteOperations.check(operations.array(), regions.remoteBytes());
            if (answer > 0 && !hasAnswer) {
                throw new MalformedMessageException("remote operations have an unwanted answer");
            }
        } catch (IllegalArgumentException wrong) {
            throw new MalformedMessageException(String.valueOf(wrong.getMessage()));
        }
    }

    private void checkWord(WordCondition condition) {
        int bytes = condition.kind().bytes();
        if (condition.offset() < 0
                || condition.offset() % bytes != 0
                || condition.offset() > regions.remoteBytes() - bytes) {
            throw new MalformedMessageException("remote word at " + condition.offset());
        }
    }

    private static void checkContribution(Bytes bytes) {
        if (bytes.length() > 0) {
            try {
                Contribution.decode(bytes.array());
            } catch (IllegalArgumentException wrong) {
                throw new MalformedMessageException(String.valueOf(wrong.getMessage()));
            }
        }
    }

    @Override
    public void resume(WaiterId waiter, Outcome outcome) {
        Waiting done = waiting.remove(waiter);
        if (done == null) {
            throw new IllegalStateException(waiter + " does not wait, and got " + outcome);
        }
        long now = System.nanoTime();
        done.call().time().ifPresent(time -> tracer.count(time, now - done.sinceNanos()));
        listener.onAnswered(done.call(), done.sinceNanos(), now);
        done.caller().answer(outcome);
    }

    private static void opened(CallConnection caller, OptionalInt slot, String lock) {
        if (slot.isPresent()) {
            caller.done(slot.getAsInt());
        } else {
            caller.refused("lock '" + lock + "' is one more than this node can open");
        }
    }

    private void home(CallConnection caller, WireReader body) {
        PageId page = CallCodec.page(body);
        if (!regions.hasPage(page)) {
            throw new MalformedMessageException("home of " + page);
        }
        caller.done(regions.home(page).index());
    }

    private void stored(CallConnection caller, WireReader body) {
        String line = CallCodec.text(body);
        while (body.remaining() > 0) {
            PageId page = CallCodec.page(body);
            int times = body.u32();
            if (times < 1 || !regions.hasPage(page)) {
                throw new MalformedMessageException(times + " stores to " + page);
            }
            listener.onStored(page, line, times);
        }
        caller.done(0);
    }

    private void addRegion(CallConnection caller, WireReader body) {
        int index = body.u32();
        RegionSpec region = RegionSpec.parse(index, CallCodec.text(body));
        try {
            regions.allocate(region);
            caller.done(0);
        } catch (IllegalArgumentException refused) {
            caller.refused(String.valueOf(refused.getMessage()));
        }
    }
}
