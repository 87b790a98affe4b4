package io.muninn.verify.program;

import io.muninn.api.Comparison;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.model.NodeId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Performs a thread's operations on remote words: directly if its node is the home, by calls
 * otherwise. Each request also stores a number of its own to the last word of its home, so that no
 * two are equal.
 */
final class RemoteBody {
    private static final io.muninn.api.Op SUM = io.muninn.api.Op.SUM;
    private static final io.muninn.api.Op REPLACE = io.muninn.api.Op.REPLACE;
    private static final long SERIAL = (RemoteReferences.WORDS - 1L) * Long.BYTES;

    private final List<Observer> observers;
    private final Map<Long, Long> seen = new TreeMap<>(); // values by home and word
    private long requests;

    RemoteBody(List<Observer> observers) {
        this.observers = observers;
    }

    /**
     * @return false if the thread waits for an answer
     */
    boolean perform(SimThread thread, Op.Remote op) {
        switch (op) {
            case Op.RemoteFence() -> thread.call(new Event.FenceCalled(thread.id()));
            case Op.RemoteUntil(int home, int word, long least, long limitNanos) -> {
                WordCondition condition =
                        new WordCondition(
                                WordKind.LONG,
                                (long) word * Long.BYTES,
                                Comparison.GREATER_OR_EQUAL,
                                least);
                thread.call(
                        new Event.RemoteAwaited(
                                thread.id(), node(thread, home), condition, limitNanos));
            }
            case Op.RemoteAccess access -> {
                return access(thread, access);
            }
        }
        return false;
    }

    /** A home as programs number nodes. */
    private static NodeId node(SimThread thread, int home) {
        return NodeId.of(home * thread.node().simulation().cluster().processes());
    }

    private boolean access(SimThread thread, Op.RemoteAccess op) {
        NodeId home = NodeId.of(op.home());
        boolean isDirect = home.equals(thread.node().id());
        RemoteOperations operations = new RemoteOperations();
        long at = (long) op.word() * Long.BYTES;
        boolean isPosted = false;
        switch (op) {
            case Op.RemoteLoad _ -> operations.get(WordKind.LONG, at);
            case Op.RemoteExchange(int _, int _, long value) ->
                    operations.getAndUpdate(WordKind.LONG, at, REPLACE, value);
            case Op.RemoteCompare(int _, int _, long next) ->
                    operations.compareAndExchange(
                            WordKind.LONG, at, seen.getOrDefault(key(op), 0L), next);
            case Op.RemoteAdd(int _, int _, long amount, boolean isAnswered) -> {
                isPosted = !isAnswered;
                if (isAnswered) {
                    operations.getAndUpdate(WordKind.LONG, at, SUM, amount);
                } else {
                    operations.update(WordKind.LONG, at, SUM, amount);
                }
            }
        }
        if (!isDirect) {
            long serial = (long) thread.position() << 32 | ++requests;
            operations.update(WordKind.LONG, SERIAL, REPLACE, serial);
        }
        Bytes bytes = new Bytes(operations.take());
        if (isDirect) {
            MemorySegment memory = thread.node().remotes().memory();
            observers.forEach(each -> each.onRemoteCalled(thread, home, bytes));
            Bytes answer = new Bytes(RemoteOperations.perform(bytes.array(), memory));
            observers.forEach(each -> each.onRemotePerformed(thread.node(), bytes, answer));
            note(op, answer);
            observers.forEach(each -> each.onRemoteAnswered(thread, answer));
            return true;
        }
        observers.forEach(each -> each.onRemoteCalled(thread, home, bytes));
        NodeId to = node(thread, op.home());
        thread.call(
                isPosted
                        ? new Event.RemotePosted(thread.id(), Event.NO_ANSWER, to, bytes)
                        : new Event.RemoteCalled(thread.id(), to, bytes));
        return false;
    }

    private static long key(Op.RemoteAccess op) {
        return (long) op.home() << 32 | op.word();
    }

    /** A call was answered. */
    void settle(SimThread thread, Op.Remote op, Outcome outcome) {
        if (op instanceof Op.RemoteAccess access
                && outcome instanceof Outcome.Delivered(int _, Bytes answer)) {
            note(access, answer);
            observers.forEach(each -> each.onRemoteAnswered(thread, answer));
        } else if (op instanceof Op.RemoteFence) {
            observers.forEach(each -> each.onRemoteFence(thread));
        } else if (op instanceof Op.RemoteUntil until && outcome instanceof Outcome.Done) {
            NodeId home = NodeId.of(until.home());
            long at = (long) until.word() * Long.BYTES;
            observers.forEach(each -> each.onRemoteAwaited(thread, home, at, until.least()));
        }
    }

    private void note(Op.RemoteAccess op, Bytes answer) {
        if (answer.length() > 0) {
            seen.put(key(op), RemoteOperations.value(answer.array(), 0));
        }
    }
}
