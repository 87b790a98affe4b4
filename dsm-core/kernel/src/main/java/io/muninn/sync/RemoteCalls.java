package io.muninn.sync;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.sync.RemoteMessage.RemoteReply;
import io.muninn.sync.RemoteMessage.RemoteRequest;
import io.muninn.sync.RemoteMessage.RemoteWait;
import io.muninn.sync.RemoteMessage.RemoteWaitCancel;
import io.muninn.sync.RemoteMessage.RemoteWaitOver;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests of this node to the homes of remote words: operations and waits. Requests to one home
 * are sent in the order made and performed in that order.
 *
 * <p>A thread that posts operations continues as soon as they are accepted. At most {@link
 * #windowBytes} of posted operations are outstanding, and one request more; a thread that posts
 * more waits, unless it completes the node's futures. A fence, and every release of the node, waits
 * for the posts that were accepted before it.
 *
 * <p>Source: Kontothanassis, Scott and others, section 4.3 (remote reference). Departures: updates
 * are performed by the home's agent; a wait is held there.
 *
 * <pre>
 *           RemoteReply             RemoteWaitOver      WaitOver
 * None      impossible              impossible          -
 * Called    answer, →None           impossible          -
 * Posted    performed (1), →None    impossible          -
 * Waiting   impossible              answer (2), →None   time out, cancel, →Given up
 * Given up  impossible              →None               -
 *
 * (1) of an asynchronous request: to the completer. Then perform the fences and releases that
 *     waited for the oldest posts, and accept posts that wait
 * (2) it holds: a wait that is not cancelled ends only so
 * </pre>
 */
public final class RemoteCalls {
    /** What each post counts, besides its operations. */
    private static final int POST_BYTES = 64;

    private enum State {
        CALLED("Called"),
        POSTED("Posted"),
        WAITING("Waiting"),
        GIVEN_UP("Given up");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private static final class Request {
        final WaiterId waiter;
        final NodeId home;
        final long asynchronous; // its number for the completer, or NO_ANSWER
        final int bytes;
        State state;

        Request(WaiterId waiter, NodeId home, long asynchronous, int bytes, State state) {
            this.waiter = waiter;
            this.home = home;
            this.asynchronous = asynchronous;
            this.bytes = bytes;
            this.state = state;
        }
    }

    /** A fence or a release that waits for the posts up to {@code last}. */
    private record Gate(long last, Optional<WaiterId> fence, Optional<GatedRelease> release) {}

    private final NodeThreads threads;
    private final ShippedCalls completers;
    private final long windowBytes;
    private final TreeMap<Long, Request> requests = new TreeMap<>(); // under way, by number
    private final TreeSet<Long> posted = new TreeSet<>(); // of these, those that a fence awaits
    private final ArrayDeque<Event.RemotePosted> blocked = new ArrayDeque<>();
    private final ArrayDeque<Gate> gates = new ArrayDeque<>(); // in order of their last posts
    private long outstandingBytes;
    private long lastNumber;

    /**
     * @param completers complete asynchronous requests
     */
    public RemoteCalls(NodeThreads threads, ShippedCalls completers, long windowBytes) {
        this.threads = threads;
        this.completers = completers;
        this.windowBytes = windowBytes;
    }

    /** The state of a request in the table. */
    public String stateOf(long number) {
        Request known = requests.get(number);
        return known == null ? "None" : known.state.word;
    }

    /** The state of the wait of a thread in the table. */
    public String stateOf(WaiterId waiter) {
        return waitOf(waiter).map(number -> stateOf((long) number)).orElse("None");
    }

    /** The number of requests without a reply. */
    public int underWay() {
        return requests.size();
    }

    /** The number of posts that are not known to be performed. */
    public int outstanding() {
        return posted.size();
    }

    public void onRemoteCalled(Event.RemoteCalled call, Effects out) {
        NodeId home = threads.nodeOf(call.to());
        long number = add(call.waiter(), home, Event.NO_ANSWER, 0, State.CALLED);
        send(home, number, call.operations(), out);
    }

    private static void send(NodeId home, long number, Bytes operations, Effects out) {
        int count = RemoteOperations.count(operations.array());
        boolean isSingle = count == 1;
        out.count(isSingle ? NodeCounter.REMOTE_SINGLE : NodeCounter.REMOTE_AGGREGATED, count);
        out.count(NodeCounter.REMOTE_BYTES, operations.length());
        out.send(home, new RemoteRequest(number, operations));
    }

    private long add(WaiterId waiter, NodeId home, long asynchronous, int bytes, State state) {
        lastNumber++;
        requests.put(lastNumber, new Request(waiter, home, asynchronous, bytes, state));
        return lastNumber;
    }

    public void onRemotePosted(Event.RemotePosted call, Effects out) {
        boolean isFull = outstandingBytes >= windowBytes || !blocked.isEmpty();
        if (isFull && !completers.isCompleter(call.waiter())) {
            blocked.add(call);
        } else {
            accept(call, out);
        }
    }

    private void accept(Event.RemotePosted call, Effects out) {
        NodeId home = threads.nodeOf(call.to());
        int bytes = POST_BYTES + call.operations().length();
        long number = add(call.waiter(), home, call.number(), bytes, State.POSTED);
        posted.add(number);
        outstandingBytes += bytes;
        send(home, number, call.operations(), out);
        out.resumeWaiter(call.waiter(), Outcome.DONE);
    }

    public void onRemoteReply(NodeId from, RemoteReply reply, Effects out) {
        Request done = requests.remove(reply.number());
        if (done == null || done.state != State.CALLED && done.state != State.POSTED) {
            throw violation(reply.number(), done, reply);
        }
        out.count(NodeCounter.REMOTE_BYTES, reply.answer().length());
        if (done.state == State.CALLED) {
            out.resumeWaiter(done.waiter, delivered(from, reply.answer()));
            return;
        }
        posted.remove(reply.number());
        if (done.asynchronous == Event.NO_ANSWER) {
            free(done.bytes, out);
        } else {
            completers.ended(
                    done.waiter,
                    new Outcome.Completed(done.asynchronous, delivered(from, reply.answer())),
                    effects -> free(done.bytes, effects),
                    out);
        }
        performGates(out);
    }

    private static Outcome delivered(NodeId from, Bytes answer) {
        return new Outcome.Delivered(from.index(), answer);
    }

    private void free(int bytes, Effects out) {
        outstandingBytes -= bytes;
        while (!blocked.isEmpty() && outstandingBytes < windowBytes) {
            accept(blocked.remove(), out);
        }
    }

    // ---- fences ----

    public void onFenceCalled(Event.FenceCalled call, Effects out) {
        if (posted.isEmpty()) {
            out.resumeWaiter(call.waiter(), Outcome.DONE);
        } else {
            gates.add(new Gate(posted.last(), Optional.of(call.waiter()), Optional.empty()));
        }
    }

    /** Performs this part of a release when all posts so far are performed; there are some. */
    public void onRelease(GatedRelease release, Effects out) {
        gates.add(new Gate(posted.last(), Optional.empty(), Optional.of(release)));
    }

    private void performGates(Effects out) {
        for (Iterator<Gate> each = gates.iterator(); each.hasNext(); ) {
            Gate first = each.next();
            if (!posted.isEmpty() && posted.first() <= first.last()) {
                return;
            }
            each.remove();
            first.fence().ifPresent(waiter -> out.resumeWaiter(waiter, Outcome.DONE));
            first.release().ifPresent(out::releasePerformed);
        }
    }

    // ---- waits ----

    public void onRemoteAwaited(Event.RemoteAwaited call, Effects out) {
        NodeId home = threads.nodeOf(call.to());
        long number = add(call.waiter(), home, Event.NO_ANSWER, 0, State.WAITING);
        if (call.timeoutNanos() >= 0) {
            out.armTimer(new TimerId.WaitOver(call.waiter()), call.timeoutNanos());
        }
        out.send(home, new RemoteWait(number, call.condition()));
    }

    public void onWaitOver(WaiterId waiter, Effects out) {
        Optional<Long> number = waitOf(waiter);
        Request wait = number.map(requests::get).orElse(null);
        if (wait == null) {
            return;
        }
        wait.state = State.GIVEN_UP;
        out.send(wait.home, new RemoteWaitCancel(number.get()));
        out.resumeWaiter(waiter, new Outcome.TimedOut("the condition does not hold"));
    }

    private Optional<Long> waitOf(WaiterId waiter) {
        for (var each : requests.entrySet()) {
            Request request = each.getValue();
            if (request.state == State.WAITING && request.waiter.equals(waiter)) {
                return Optional.of(each.getKey());
            }
        }
        return Optional.empty();
    }

    public void onRemoteWaitOver(RemoteWaitOver over, Effects out) {
        Request wait = requests.remove(over.number());
        boolean isWaiting = wait != null && wait.state == State.WAITING;
        if (wait == null
                || !isWaiting && wait.state != State.GIVEN_UP
                || isWaiting && !over.holds()) {
            throw violation(over.number(), wait, over);
        }
        if (isWaiting) {
            out.cancelTimer(new TimerId.WaitOver(wait.waiter));
            out.resumeWaiter(wait.waiter, Outcome.DONE);
        }
    }

    private static ProtocolViolation violation(
            long number, @Nullable Request request, Object event) {
        String state = request == null ? "None" : request.state.word;
        return new ProtocolViolation(
                "remote request=" + number + " state=" + state + " event=" + event);
    }
}
