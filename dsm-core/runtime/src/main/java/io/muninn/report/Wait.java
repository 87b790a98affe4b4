package io.muninn.report;

import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.ReservedBarriers;
import java.util.Optional;

/**
 * A wait of a thread that has ended.
 *
 * @param thread of its node, from 0; {@link #UNKNOWN} if it is not known
 * @param page at which the thread was stopped; empty for a call
 * @param about name of what a call was about: a lock, a barrier, an object, a node; else empty
 * @param beginNanos when it began, from any origin
 * @param endNanos when it ended
 */
public record Wait(
        int thread,
        WaitKind kind,
        Optional<PageId> page,
        String about,
        long beginNanos,
        long endNanos) {
    /** The thread of a fault if the engine does not name it. */
    public static final int UNKNOWN = -1;

    /** A stop at a page. */
    public static Wait atPage(
            int thread, PageId page, boolean isStore, long beginNanos, long endNanos) {
        WaitKind kind = isStore ? WaitKind.STORE : WaitKind.LOAD;
        return new Wait(thread, kind, Optional.of(page), "", beginNanos, endNanos);
    }

    /** A wait for the answer to a call. */
    public static Wait inCall(Event.Waiting call, long beginNanos, long endNanos) {
        return new Wait(
                call.waiter().thread(),
                WaitKind.of(call),
                Optional.empty(),
                about(call),
                beginNanos,
                endNanos);
    }

    /** The name of what a call is about: a lock, a barrier, an object, a node; else empty. */
    public static String about(Event.Waiting call) {
        return switch (call) {
            case Event.AcquireCalled acquire -> acquire.lock().name();
            case Event.LocalAcquireCalled acquire -> acquire.lock().name();
            case Event.PermissionCalled permission -> permission.lock().name();
            case Event.LocalReadCalled permission -> permission.lock().name();
            case Event.BarrierReached arrival when ReservedBarriers.isReserved(arrival.barrier()) ->
                    ReservedBarriers.describe(arrival.barrier());
            case Event.BarrierReached arrival -> arrival.barrier().name();
            case Event.GatherCalled arrival -> arrival.barrier().name();
            case Event.SignalAwaited await -> await.condition().toString();
            case Event.ReceiveCalled receive when receive.from() == Event.ANY_NODE -> "any node";
            case Event.ReceiveCalled receive -> "node " + receive.from();
            case Event.ShipCalled ship -> ship.object().name();
            case Event.PostCalled post -> post.object().name();
            case Event.ServeCalled serve -> serve.object().name();
            case Event.RemoteCalled remote -> "node " + remote.to();
            case Event.RemotePosted remote -> "node " + remote.to();
            case Event.RemoteAwaited remote -> "node " + remote.to();
            default -> "";
        };
    }

    /** How long it lasted. */
    public long nanos() {
        return endNanos - beginNanos;
    }
}
