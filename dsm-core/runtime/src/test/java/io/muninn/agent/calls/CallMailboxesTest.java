package io.muninn.agent.calls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.nativefault.Mailboxes;
import io.muninn.wire.WireReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which calls of mailboxes are handled, and the ways of the answers. */
class CallMailboxesTest {
    private static final int MAILBOX = 9;

    /** Offset of the words of that mailbox, see {@code mailbox.h}. */
    private static final long AT = 64 + MAILBOX * (32 << 10);

    private static final long AFTER = AT + 8;
    private static final long LENGTH = AT + 12;
    private static final long CALL = AT + 16;
    private static final long ANSWER_STATE = AT + (16 << 10);
    private static final long ANSWER_LENGTH = ANSWER_STATE + 4;
    private static final int HERE = 2;
    private static final int ON_SOCKET = 3;

    private final MemorySegment memory = Arena.ofAuto().allocate(Mailboxes.BYTES, 64);
    private final EmbeddedChannel socket = new EmbeddedChannel();
    private final CallConnection caller = new CallConnection(socket, 4);
    private final List<String> heard = new ArrayList<>();
    private final CallServer.Calls calls =
            new CallServer.Calls() {
                @Override
                public void onCall(CallConnection from, int call, WireReader body) {
                    if (call == 0) {
                        throw new IllegalArgumentException("nothing");
                    }
                    heard.add(from.thread() + ": " + call + " " + body.u8());
                }

                @Override
                public void onMalformedCall(CallConnection from, String reason) {
                    heard.add(from.thread() + ": " + reason);
                }

                @Override
                public void onBadCall(CallConnection from, Throwable cause) {
                    heard.add(from.thread() + ": " + cause.getMessage());
                }
            };
    private final CallMailboxes mailboxes =
            new CallMailboxes(new Mailboxes(memory), calls, calls::onCall);

    /** A call and its one byte. */
    private void post(int call, int body, int framesBefore) {
        memory.set(JAVA_BYTE, CALL, (byte) call);
        memory.set(JAVA_BYTE, CALL + 1, (byte) body);
        memory.set(JAVA_INT, LENGTH, 2);
        memory.set(JAVA_INT, AFTER, framesBefore);
        memory.set(JAVA_INT, AT, 1);
        memory.set(JAVA_INT, 0, MAILBOX + 1);
    }

    @Test
    void callInItsTurn_isHandledAtOnce() {
        mailboxes.give(MAILBOX, caller);
        caller.frameHandled(); // the frame that assigned it

        post(7, 1, caller.framesHandled());
        mailboxes.handlePosted();
        post(7, 2, caller.framesHandled());
        mailboxes.handlePosted();
        mailboxes.handlePosted();

        assertEquals(List.of("4: 7 1", "4: 7 2"), heard);
    }

    @Test
    void callThatIsEarlierThanAFrameSentBefore_waitsForIt() {
        mailboxes.give(MAILBOX, caller);
        post(7, 1, caller.framesHandled() + 2);
        mailboxes.handlePosted();
        caller.frameHandled();
        mailboxes.handleEarly(MAILBOX);
        assertEquals(List.of(), heard);

        caller.frameHandled();
        mailboxes.handleEarly(MAILBOX);
        mailboxes.handleEarly(MAILBOX);

        assertEquals(List.of("4: 7 1"), heard);
    }

    @Test
    void callThatIsEarlierThanItsMailbox_waitsForIt() {
        post(7, 1, caller.framesHandled() + 1);
        mailboxes.handlePosted();
        assertEquals(List.of(), heard);

        mailboxes.give(MAILBOX, caller);
        caller.frameHandled();
        mailboxes.handleEarly(MAILBOX);

        assertEquals(List.of("4: 7 1"), heard);
    }

    @Test
    void failure_isTheCallers() {
        mailboxes.give(MAILBOX, caller);
        post(0, 0, caller.framesHandled());

        mailboxes.handlePosted();

        assertEquals(List.of("4: call 0: nothing"), heard);
    }

    @Test
    void mailboxOfAnother_isRefused() {
        mailboxes.give(MAILBOX, caller);

        assertThrows(IllegalArgumentException.class, () -> mailboxes.give(MAILBOX, caller));
        assertThrows(IllegalArgumentException.class, () -> mailboxes.give(-1, caller));
        assertThrows(IllegalArgumentException.class, () -> mailboxes.give(Mailboxes.COUNT, caller));
    }

    @Test
    void answers_goByTheMailboxIfTheyAreShort() {
        caller.refused("by the socket, as nothing else is known yet");
        socket.<ByteBuf>readOutbound().release();
        mailboxes.give(MAILBOX, caller);

        caller.done(5);
        assertEquals(HERE, memory.get(JAVA_INT, ANSWER_STATE));
        assertEquals(9, memory.get(JAVA_INT, ANSWER_LENGTH));
        assertEquals(0, socket.outboundMessages().size());
        memory.set(JAVA_INT, ANSWER_STATE, 0); // received

        caller.refused("x".repeat(Mailboxes.FRAME_BYTES_MAX));
        assertEquals(ON_SOCKET, memory.get(JAVA_INT, ANSWER_STATE));
        assertOnSocket(5 + Mailboxes.FRAME_BYTES_MAX);
        memory.set(JAVA_INT, ANSWER_STATE, 0);

        caller.refused("\u20ac".repeat(Mailboxes.FRAME_BYTES_MAX / 2)); // longer in UTF-8
        assertEquals(ON_SOCKET, memory.get(JAVA_INT, ANSWER_STATE));
        assertOnSocket(5 + 3 * Mailboxes.FRAME_BYTES_MAX / 2);
    }

    private void assertOnSocket(int bytes) {
        ByteBuf frame = socket.readOutbound();
        assertEquals(bytes, frame.readIntLE());
        assertEquals(bytes, frame.readableBytes());
        frame.release();
    }
}
