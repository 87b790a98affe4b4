package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The agent's end of mailboxes; the test writes the words of the threads' end. */
class MailboxesTest {
    private static final int POSTED = 1;
    private static final int AWAITED = 1;
    private static final int HERE = 2;
    private static final int ON_SOCKET = 3;

    private final MemorySegment memory = Arena.ofAuto().allocate(Mailboxes.BYTES, 64);
    private final Mailboxes mailboxes = new Mailboxes(memory);
    private final byte[] frame = new byte[Mailboxes.FRAME_BYTES_MAX];

    private static long at(int mailbox, int offset) {
        return FaultLibrary.MAILBOXES_AT + (long) mailbox * FaultLibrary.MAILBOX_BYTES + offset;
    }

    private void post(int mailbox, String text, int framesBefore) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(
                bytes, 0, memory, JAVA_BYTE, at(mailbox, FaultLibrary.MAILBOX_CALL), bytes.length);
        memory.set(JAVA_INT, at(mailbox, FaultLibrary.MAILBOX_CALL_LENGTH), bytes.length);
        memory.set(JAVA_INT, at(mailbox, FaultLibrary.MAILBOX_AFTER), framesBefore);
        memory.set(JAVA_INT, at(mailbox, 0), POSTED);
        memory.set(JAVA_INT, at(mailbox, FaultLibrary.MAILBOX_NEXT), memory.get(JAVA_INT, 0));
        memory.set(JAVA_INT, 0, mailbox + 1);
    }

    private int answerState(int mailbox) {
        return memory.get(JAVA_INT, at(mailbox, FaultLibrary.MAILBOX_ANSWER_STATE));
    }

    private String taken(int mailbox) {
        return new String(frame, 0, mailboxes.take(mailbox, frame), StandardCharsets.UTF_8);
    }

    @Test
    void mailboxes_areTakenOnceEach() {
        for (int i = 0; i < Mailboxes.COUNT; i++) {
            assertEquals(OptionalInt.of(i), Mailboxes.take(memory));
        }
        assertEquals(OptionalInt.empty(), Mailboxes.take(memory));
    }

    @Test
    void calls_areReadOldestFirstAndOnce() {
        post(3, "one", 5);
        post(200, "two", 0);
        post(0, "three", 1);

        assertEquals(3, mailboxes.readPosted());
        assertEquals(3, mailboxes.posted(0));
        assertEquals(200, mailboxes.posted(1));
        assertEquals(0, mailboxes.posted(2));
        assertEquals(5, mailboxes.framesBefore(3));
        assertEquals("one", taken(3));
        assertEquals(0, mailboxes.readPosted());
        assertEquals("three", taken(0)); // in any order
        assertEquals("two", taken(200));
        assertThrows(BrokenMemoryException.class, () -> mailboxes.take(200, frame));
    }

    @Test
    void threadThatIsNotWoken_findsItsAnswer() {
        mailboxes.answer(7, new byte[] {4, 2}, 2);

        assertEquals(HERE, answerState(7));
        assertEquals(2, memory.get(JAVA_INT, at(7, FaultLibrary.MAILBOX_ANSWER_LENGTH)));
        assertEquals(2, memory.get(JAVA_BYTE, at(7, FaultLibrary.MAILBOX_ANSWER + 1)));
        assertThrows(IllegalStateException.class, () -> mailboxes.answerOnSocket(7));
    }

    @Test
    void answerOnTheSocket_isToldToWhomWaits() {
        memory.set(JAVA_INT, at(1, FaultLibrary.MAILBOX_ANSWER_STATE), AWAITED);

        mailboxes.answerOnSocket(1);

        assertEquals(ON_SOCKET, answerState(1));
    }

    @Test
    void whatNoThreadWrites_isRefused() {
        memory.set(JAVA_INT, 0, Mailboxes.COUNT + 1);
        assertThrows(BrokenMemoryException.class, mailboxes::readPosted);

        memory.set(JAVA_INT, 0, -1);
        assertThrows(BrokenMemoryException.class, mailboxes::readPosted);

        post(4, "x", 0);
        memory.set(JAVA_INT, at(4, FaultLibrary.MAILBOX_NEXT), 5); // a circle
        assertThrows(BrokenMemoryException.class, mailboxes::readPosted);

        post(6, "x", 0);
        memory.set(
                JAVA_INT, at(6, FaultLibrary.MAILBOX_CALL_LENGTH), Mailboxes.FRAME_BYTES_MAX + 1);
        assertThrows(BrokenMemoryException.class, () -> mailboxes.take(6, frame));
    }

    @Test
    void foreignWords_areCallsOrBrokenMemory() {
        feed(20_000);
    }

    @Test
    @Tag("slow")
    void aMillionForeignWords_areCallsOrBrokenMemory() {
        feed(1_000_000);
    }

    /** Some of the threads' words are overwritten by likely and unlikely values. */
    private void feed(int inputs) {
        SplittableRandom random = new SplittableRandom(56);
        int[] words = {
            0,
            FaultLibrary.MAILBOX_NEXT,
            FaultLibrary.MAILBOX_AFTER,
            FaultLibrary.MAILBOX_CALL_LENGTH
        };
        int broken = 0;
        for (int i = 0; i < inputs; i++) {
            memory.set(JAVA_INT, 0, 0);
            for (int mailbox = 0; mailbox < 3; mailbox++) {
                post(mailbox, "call", mailbox);
            }
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                int value = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(-2, 6);
                int word = words[random.nextInt(words.length)];
                memory.set(
                        JAVA_INT, random.nextInt(8) == 0 ? 0 : at(random.nextInt(3), word), value);
            }
            try {
                int posted = mailboxes.readPosted();
                for (int call = 0; call < posted; call++) {
                    int length = mailboxes.take(mailboxes.posted(call), frame);
                    assertTrue(length > 0 && length <= Mailboxes.FRAME_BYTES_MAX);
                }
            } catch (BrokenMemoryException refused) {
                broken++;
            }
        }
        assertTrue(broken > 0 && broken < inputs, broken + " of " + inputs);
    }
}
