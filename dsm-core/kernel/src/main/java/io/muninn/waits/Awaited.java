package io.muninn.waits;

import io.muninn.model.ObjectId;
import io.muninn.spi.Event;
import io.muninn.spi.ReservedBarriers;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;

/**
 * What a thread waits for.
 *
 * @param kind of the wait
 * @param name of the lock, barrier, condition or object; empty if it has none
 * @param number a barrier's parties, {@link Event#ALL_PARTIES} for all threads; of a message the
 *     sender, or {@link Event#ANY_NODE}; of a send, a call or a remote word the other node, as
 *     programs count
 * @param tag of a message
 * @param isTimed the wait has a time limit
 */
public record Awaited(Kind kind, String name, int number, int tag, boolean isTimed) {
    /** What can end a wait. */
    public enum Kind {
        /** The holder of the lock. */
        LOCK,
        /** The writer that holds the reader-writer lock, or is before this reader. */
        READ,
        /** All that hold the reader-writer lock. */
        WRITE,
        /** The threads that have not arrived at the barrier. */
        BARRIER,
        /** The same; this thread arrives after them. */
        GATHER,
        /** Any thread. */
        SIGNAL,
        /** Any thread. */
        MESSAGE,
        /** Any thread: it receives what was sent before. */
        SEND,
        /** The thread that runs the object's call. */
        CALL,
        /** Any thread, which stores to the word without a message; so it can end at any time. */
        WORD,
        /** Any thread: this one serves others. */
        REQUEST,
        /** The agents alone: the wait is short. */
        AGENT,
        /** Any thread: an agent accepts a call when completions of others have been taken. */
        ACCEPTANCE
    }

    private static final int TIMELESS = -1;

    private static Awaited of(Kind kind, String name, int number, long timeoutNanos) {
        return new Awaited(kind, name, number, 0, timeoutNanos >= 0);
    }

    /** The wait in a call. */
    public static Awaited of(Event.Waiting call) {
        return switch (call) {
            case Event.AcquireCalled(_, var lock, long limit) ->
                    of(Kind.LOCK, lock.name(), 0, limit);
            case Event.PermissionCalled(_, var lock, boolean toWrite, long limit) ->
                    of(toWrite ? Kind.WRITE : Kind.READ, lock.name(), 0, limit);
            case Event.BarrierReached(_, var barrier, int parties, long limit, _) ->
                    of(Kind.BARRIER, barrier.name(), parties, limit);
            case Event.GatherCalled(_, var barrier, int parties) ->
                    of(Kind.GATHER, barrier.name(), parties, TIMELESS);
            case Event.SignalAwaited(_, var condition, long limit) ->
                    of(Kind.SIGNAL, condition.toString(), 0, limit);
            case Event.ReceiveCalled(_, int from, int tag, long limit) ->
                    new Awaited(Kind.MESSAGE, "", from, tag, limit >= 0);
            case Event.SendCalled(_, var to, int tag, _) ->
                    new Awaited(Kind.SEND, "", to.index(), tag, false);
            case Event.ShipCalled(_, var object, var to, _, _) ->
                    of(Kind.CALL, object.name(), to.index(), TIMELESS);
            case Event.RemoteAwaited(_, var to, _, long limit) ->
                    of(Kind.WORD, "", to.index(), limit);
            case Event.ServeCalled(_, var object) -> of(Kind.REQUEST, object.name(), 0, TIMELESS);
            case Event.ReplyAwaited _ -> of(Kind.REQUEST, "", 0, TIMELESS);
            case Event.LocalAcquireCalled _,
                    Event.LocalReadCalled _,
                    Event.WaitCalled _,
                    Event.SignalCalled _,
                    Event.RefreshCalled _,
                    Event.RemoteCalled _,
                    Event.FenceCalled _,
                    Event.Sealed _ ->
                    of(Kind.AGENT, "", 0, TIMELESS);
            case Event.PostCalled _, Event.RemotePosted _ -> of(Kind.ACCEPTANCE, "", 0, TIMELESS);
        };
    }

    /** True if only other threads can end it, whatever time passes. */
    public boolean needsOthers() {
        return !isTimed
                && switch (kind) {
                    case AGENT, ACCEPTANCE, REQUEST, WORD -> false;
                    case LOCK, READ, WRITE, BARRIER, GATHER, SIGNAL, MESSAGE, SEND, CALL -> true;
                };
    }

    /** True if agents end it, whatever threads do: a missing answer is a loss. */
    public boolean isAnsweredByAgents() {
        return kind == Kind.AGENT;
    }

    /** True if the thread has arrived at this barrier. */
    boolean isAt(String barrier) {
        return kind == Kind.BARRIER && name.equals(barrier);
    }

    /** True if its thread has ended the program. */
    boolean isEnd() {
        return isAt(ReservedBarriers.END.name()) || isAt(ReservedBarriers.FINISH.name());
    }

    /** As in "waits for barrier 'phase'". */
    public String text() {
        return switch (kind) {
            case LOCK -> lockText(name);
            case READ -> lockText(name) + " to read";
            case WRITE -> lockText(name) + " to write";
            case BARRIER -> ReservedBarriers.describe(name);
            case GATHER -> "the other threads at " + ReservedBarriers.describe(name);
            case SIGNAL -> "a signal of condition '" + name + "'";
            case MESSAGE ->
                    "a message with tag "
                            + tag
                            + (number == Event.ANY_NODE
                                    ? " from any node"
                                    : " from node " + number);
            case SEND -> "node " + number + " to receive what was sent to it";
            case CALL -> "a reply of object '" + name + "' of node " + number;
            case WORD -> "a store to a remote word of node " + number;
            case REQUEST -> name.isEmpty() ? "replies" : "calls of object '" + name + "'";
            case AGENT, ACCEPTANCE -> "its agent";
        };
    }

    /** A lock as text: the turn of an object is one, too. */
    static String lockText(String name) {
        return ObjectId.isTurn(name)
                ? "object '" + ObjectId.ofTurn(name) + "', whose call another thread runs"
                : "lock '" + name + "'";
    }

    void write(WireWriter out) {
        out.u8(kind.ordinal());
        out.text(name);
        out.u32(number);
        out.u32(tag);
        out.flag(isTimed);
    }

    static Awaited read(WireReader in) {
        int kind = in.u8();
        if (kind >= Kind.values().length) {
            throw new MalformedMessageException("wait of kind " + kind);
        }
        return new Awaited(Kind.values()[kind], in.text(), in.u32(), in.u32(), in.flag());
    }
}
