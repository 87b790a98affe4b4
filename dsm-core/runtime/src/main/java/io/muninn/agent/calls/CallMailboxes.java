package io.muninn.agent.calls;

import io.muninn.nativefault.Mailboxes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.BitSet;

/**
 * Calls that threads post in their mailboxes. Each is handled when all that its thread has sent
 * before it, by its socket, has been; what it sends after it waits for its turn likewise, since
 * whoever handles a frame of a socket {@linkplain #handlePosted looks here} first.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class CallMailboxes {
    private final Mailboxes mailboxes;
    private final CallServer.Calls calls;
    private final CallServer.CallHandler handler;
    private final CallConnection[] callers = new CallConnection[Mailboxes.COUNT]; // null: not known
    private final BitSet early = new BitSet(Mailboxes.COUNT); // posted, and not to be handled yet
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
     * The thread has taken this mailbox.
     *
     * @throws IllegalArgumentException if there is no such one, or another thread has it
     */
    void give(int mailbox, CallConnection caller) {
        if (mailbox < 0 || mailbox >= callers.length || callers[mailbox] != null) {
            throw new IllegalArgumentException(
                    "mailbox " + mailbox + " is not one for thread " + caller.thread());
        }
        callers[mailbox] = caller;
        caller.use(mailboxes, mailbox);
    }

    /** Handles what has been posted, as far as it is its turn. */
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

    /** A frame of the caller's socket has been handled: what came too early may go now. */
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
