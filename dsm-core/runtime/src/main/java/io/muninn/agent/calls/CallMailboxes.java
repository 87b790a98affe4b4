package io.muninn.agent.calls;

import io.muninn.nativefault.Mailboxes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.BitSet;

/**
 * Receives the calls that threads post in their mailboxes, and preserves the order of one thread's
 * calls across socket and mailbox. A posted call waits until all earlier frames of its thread's
 * socket are handled; before a frame of a socket is handled, {@link #handlePosted} handles the
 * calls that were posted before it.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class CallMailboxes {
    private final Mailboxes mailboxes;
    private final CallServer.Calls calls;
    private final CallServer.CallHandler handler;
    private final CallConnection[] callers = new CallConnection[Mailboxes.COUNT]; // null: not taken
    private final BitSet early =
            new BitSet(Mailboxes.COUNT); // posted, waiting for frames of the socket
    private final byte[] bytes = new byte[Mailboxes.FRAME_BYTES_MAX];
    private final ByteBuf frame = Unpooled.wrappedBuffer(bytes);

    /**
     * @param calls notified of failures
     * @param handler of every call
     */
    CallMailboxes(Mailboxes mailboxes, CallServer.Calls calls, CallServer.CallHandler handler) {
        this.mailboxes = mailboxes;
        this.calls = calls;
        this.handler = handler;
    }

    /**
     * Assigns a mailbox to a thread.
     *
     * @throws IllegalArgumentException if it does not exist, or belongs to another thread
     */
    void give(int mailbox, CallConnection caller) {
        if (mailbox < 0 || mailbox >= callers.length || callers[mailbox] != null) {
            throw new IllegalArgumentException(
                    "mailbox " + mailbox + " is not one for thread " + caller.thread());
        }
        callers[mailbox] = caller;
        caller.use(mailboxes, mailbox);
    }

    /** Handles the posted calls whose earlier frames are all handled. */
    void handlePosted() {
        int count = mailboxes.readPosted();
        for (int i = 0; i < count; i++) {
            int mailbox = mailboxes.posted(i);
            if (isTurnOf(mailbox)) {
                handle(mailbox);
            } else {
                early.set(mailbox);
            }
        }
    }

    /** Handles the call that waited for the frame just handled, if there is one. */
    void handleEarly(int mailbox) {
        if (early.get(mailbox) && isTurnOf(mailbox)) {
            early.clear(mailbox);
            handle(mailbox);
        }
    }

    private boolean isTurnOf(int mailbox) {
        CallConnection caller = callers[mailbox];
        return caller != null && caller.framesHandled() == mailboxes.framesBefore(mailbox);
    }

    private void handle(int mailbox) {
        CallConnection caller = callers[mailbox];
        int length = mailboxes.take(mailbox, bytes);
        frame.setIndex(0, length);
        CallServer.handle(calls, caller, frame, handler);
    }
}
