package io.muninn.sync;

import io.muninn.api.DsmNode;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.ShippedCall;
import io.muninn.sync.SyncMessage.ShippedRefusal;
import io.muninn.sync.SyncMessage.ShippedReply;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Calls of shipped objects on the node that makes them. A call releases before it is sent, and the
 * cargo of its reply is acquired before the caller continues. Calls are sent in the order made, so
 * those of one thread to one object arrive in that order.
 *
 * <p>The caller of a posted call continues as soon as the call is accepted. The result is passed to
 * the completer, a thread of its process that requests one result after another. Bounded: at most
 * {@link #POSTED_MAX} results of posted calls of a process are outstanding at its completer; a
 * caller of more waits, unless it is the completer.
 *
 * <pre>
 *            release performed     ShippedReply         ShippedRefusal
 * None       impossible            impossible           impossible
 * Leaving    send, →Under way (1)  impossible           impossible
 * Under way  impossible            acquire, →Acquiring  answer (2), →None
 * Acquiring  impossible            impossible           impossible
 *
 *            acquire performed
 * None       impossible
 * Leaving    impossible
 * Under way  impossible
 * Acquiring  answer (2), →None
 *
 *                ReplyAwaited
 * Nothing ended  keep the completer
 * Some ended     answer with the oldest, accept a call that waits
 *
 * (1) after all earlier calls. A call of this node's own object is under way at once, and its
 *     reply needs no acquire, unless a process of the node has seen less than another
 * (2) the caller, or for a posted call the completer at its next request; then accept a waiting
 *     call
 * </pre>
 */
public final class ShippedCalls {
    /** Largest number of outstanding posted calls of a process. */
    public static final int POSTED_MAX = DsmNode.CALLS_MAX;

    /** The receiver of a reply. */
    private sealed interface Caller {
        record Waiting(WaiterId waiter) implements Caller {}

        record Posted(Completions of, long number) implements Caller {}
    }

    /** A request that has ended, and what to do when its completer has taken it. */
    private record Ended(Outcome.Completed outcome, Consumer<Effects> taken) {}

    /** The posted calls of one process, and the thread that completes them. */
    private static final class Completions {
        final ArrayDeque<Ended> completed = new ArrayDeque<>();
        final ArrayDeque<Event.PostCalled> blocked = new ArrayDeque<>();
        Optional<WaiterId> completer = Optional.empty(); // while it waits
        Optional<WaiterId> lastCompleter = Optional.empty(); // also while it is busy
        int posted;
    }

    private static final class Departure {
        final long number;
        final ObjectId object;
        final NodeId to;
        final long fingerprint;
        final Bytes request;
        boolean isFlushed;

        Departure(long number, ObjectId object, NodeId to, long fingerprint, Bytes request) {
            this.number = number;
            this.object = object;
            this.to = to;
            this.fingerprint = fingerprint;
            this.request = request;
        }
    }

    private final NodeId self;
    private final NodeThreads threads;
    private final Releases releases;
    private final Acquires acquires;
    private final CargoHold cargo;
    private final ProcessViews views;
    private final ArrayDeque<Departure> departures = new ArrayDeque<>();
    private final Map<Long, Caller> callers = new TreeMap<>(); // leaving or sent, by number
    private final Map<Long, Caller> acquiring = new TreeMap<>(); // by number
    private final Map<Integer, Completions> completions = new TreeMap<>(); // by process
    private long lastNumber;

    public ShippedCalls(
            NodeId self,
            NodeThreads threads,
            Releases releases,
            Acquires acquires,
            CargoHold cargo,
            ProcessViews views) {
        this.self = self;
        this.threads = threads;
        this.releases = releases;
        this.acquires = acquires;
        this.cargo = cargo;
        this.views = views;
    }

    public void onShipCalled(Event.ShipCalled call, Effects out) {
        depart(
                new Caller.Waiting(call.waiter()),
                new Departure(
                        ++lastNumber,
                        call.object(),
                        threads.nodeOf(call.to()),
                        call.fingerprint(),
                        call.request()),
                out);
    }

    public void onPostCalled(Event.PostCalled call, Effects out) {
        Completions mine = completionsOf(call.waiter());
        if (mine.posted >= POSTED_MAX
                && !isCompleter(call.waiter())) { // the completer cannot wait for itself
            mine.blocked.add(call);
        } else {
            accept(mine, call, out);
        }
    }

    /** True for the thread that completes posted calls of its process. */
    boolean isCompleter(WaiterId waiter) {
        return completionsOf(waiter).lastCompleter.filter(waiter::equals).isPresent();
    }

    /**
     * Passes the end of another request, whose caller does not wait, to the completer of its
     * process.
     *
     * @param poster a thread of the process
     * @param taken called when the completer takes it
     */
    void ended(WaiterId poster, Outcome.Completed outcome, Consumer<Effects> taken, Effects out) {
        Completions mine = completionsOf(poster);
        mine.completed.add(new Ended(outcome, taken));
        tellCompleter(mine, out);
    }

    private Completions completionsOf(WaiterId waiter) {
        int process = threads.processOf(waiter.thread()).index();
        return completions.computeIfAbsent(process, _ -> new Completions());
    }

    private void accept(Completions mine, Event.PostCalled call, Effects out) {
        mine.posted++;
        out.resumeWaiter(call.waiter(), Outcome.DONE);
        depart(
                new Caller.Posted(mine, call.number()),
                new Departure(
                        ++lastNumber,
                        call.object(),
                        threads.nodeOf(call.to()),
                        call.fingerprint(),
                        call.request()),
                out);
    }

    private void depart(Caller caller, Departure departure, Effects out) {
        callers.put(departure.number, caller);
        if (departure.to.equals(self)) {
            send(departure, Cargo.NONE, out);
        } else {
            departures.add(departure);
            releases.begin(new GatedRelease.Call(departure.number), out);
        }
    }

    /** Sends a call, because every dirty page is flushed, after all earlier calls. */
    public void onReleasePerformed(GatedRelease.Call leaving, Effects out) {
        for (Departure departure : departures) {
            departure.isFlushed |= departure.number == leaving.number();
        }
        while (!departures.isEmpty() && departures.peek().isFlushed) {
            Departure first = departures.remove();
            send(first, cargo.onSend(first.to, out), out);
        }
    }

    private static void send(Departure call, Cargo along, Effects out) {
        out.send(
                call.to,
                new ShippedCall(call.number, call.object, call.fingerprint, along, call.request));
    }

    public void onShippedReply(NodeId from, ShippedReply reply, Effects out) {
        Caller caller = take(reply.number(), reply);
        boolean isOwn = from.equals(self);
        if (isOwn && views.hasSeen(MappingId.ALL, MappingId.ALL)) {
            tell(caller, new Outcome.Delivered(from.index(), reply.reply()), out);
            return;
        }
        acquiring.put(reply.number(), caller);
        GatedAcquire.Reply acquire = new GatedAcquire.Reply(from, reply.number(), reply.reply());
        if (isOwn) { // the caller's process must have seen what the object's has
            views.begin(acquire, views.of(MappingId.ALL), out);
        } else {
            acquires.begin(acquire, reply.cargo(), out);
        }
    }

    /** Answers the caller, because the stores of the object's node are visible here. */
    public void onAcquirePerformed(GatedAcquire.Reply reply, Effects out) {
        Caller caller = acquiring.remove(reply.number());
        if (caller == null) {
            throw new ProtocolViolation("call=" + reply.number() + " has no reply, event=" + reply);
        }
        tell(caller, new Outcome.Delivered(reply.from().index(), reply.reply()), out);
    }

    public void onShippedRefusal(ShippedRefusal refusal, Effects out) {
        tell(take(refusal.number(), refusal), new Outcome.Refused(refusal.reason()), out);
    }

    private Caller take(long number, Object event) {
        Caller caller = callers.remove(number);
        if (caller == null || isLeaving(number)) {
            throw new ProtocolViolation("call=" + number + " is not under way, event=" + event);
        }
        return caller;
    }

    private boolean isLeaving(long number) {
        for (Departure departure : departures) {
            if (departure.number == number) {
                return true;
            }
        }
        return false;
    }

    private void tell(Caller caller, Outcome outcome, Effects out) {
        switch (caller) {
            case Caller.Waiting(WaiterId waiter) -> out.resumeWaiter(waiter, outcome);
            case Caller.Posted(Completions of, long number) -> {
                of.completed.add(
                        new Ended(
                                new Outcome.Completed(number, outcome),
                                effects -> takenCall(of, effects)));
                tellCompleter(of, out);
            }
        }
    }

    public void onReplyAwaited(Event.ReplyAwaited call, Effects out) {
        Completions mine = completionsOf(call.waiter());
        if (mine.completer.isPresent()) {
            throw new ProtocolViolation("completer=" + mine.completer.get() + " event=" + call);
        }
        mine.completer = Optional.of(call.waiter());
        mine.lastCompleter = mine.completer;
        tellCompleter(mine, out);
    }

    /** Number of threads that complete posted calls: one in a process from its first request on. */
    public int completers() {
        int count = 0;
        for (Completions each : completions.values()) {
            count += each.lastCompleter.isPresent() ? 1 : 0;
        }
        return count;
    }

    private void tellCompleter(Completions of, Effects out) {
        if (of.completer.isEmpty() || of.completed.isEmpty()) {
            return;
        }
        WaiterId waiter = of.completer.get();
        of.completer = Optional.empty();
        Ended first = of.completed.remove();
        out.resumeWaiter(waiter, first.outcome());
        first.taken().accept(out);
    }

    private void takenCall(Completions of, Effects out) {
        of.posted--;
        if (!of.blocked.isEmpty() && of.posted < POSTED_MAX) {
            accept(of, of.blocked.remove(), out);
        }
    }
}
