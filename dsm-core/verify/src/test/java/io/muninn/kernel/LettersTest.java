package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.sync.ProgramMessages;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The program's messages between several nodes: order, window, credit. */
class LettersTest {
    private static final int TAG = 7;
    private static final int QUARTER = (int) (ProgramMessages.WINDOW_BYTES / 4);

    @Test
    void lettersOfOneTag_arriveInTheOrderSent() {
        ManualCluster fixture = new ManualCluster(2, 1);
        for (int i = 1; i <= 5; i++) {
            fixture.thread(0, 0).send(1, TAG, letter(i));
        }
        for (int i = 1; i <= 5; i++) {
            fixture.thread(1, 0).receive(0, TAG);
        }

        fixture.settle();

        assertEquals(List.of(1, 2, 3, 4, 5), received(fixture, 1, 0));
    }

    @Test
    void receiverOfAnyNode_takesTheOldestOfItsTag() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.thread(2, 0).send(0, TAG, letter(2));
        fixture.settle();
        fixture.thread(1, 0).send(0, TAG + 1, letter(9)).send(0, TAG, letter(1));
        fixture.settle();

        fixture.thread(0, 0).receive(Event.ANY_NODE, TAG).receive(Event.ANY_NODE, TAG);
        fixture.settle();

        assertEquals(List.of(2, 1), received(fixture, 0, 0));
    }

    @Test
    void receiversOfOneNode_areServedByWhatTheyWait() {
        ManualCluster fixture = new ManualCluster(3, 2);
        fixture.thread(0, 0).receive(1, TAG);
        fixture.thread(0, 1).receive(2, TAG);
        fixture.settle();
        fixture.thread(2, 0).send(0, TAG, letter(2));
        fixture.settle();
        fixture.thread(1, 0).send(0, TAG, letter(1));

        fixture.settle();

        assertEquals(List.of(1), received(fixture, 0, 0));
        assertEquals(List.of(2), received(fixture, 0, 1));
    }

    @Test
    void letterToTheOwnNode_arrivesWithoutAMessage() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(1, 0).send(1, TAG, letter(3));
        fixture.thread(1, 1).receive(1, TAG);

        fixture.settle();

        assertEquals(List.of(3), received(fixture, 1, 1));
        assertEquals(List.of(), fixture.sent());
    }

    @Test
    void senderWithTheWindowFull_waitsUntilTheReceiverTakesLetters() {
        ManualCluster fixture = new ManualCluster(2, 1);
        for (int i = 0; i < 4; i++) {
            fixture.thread(0, 0).send(1, TAG, letter(QUARTER));
        }
        fixture.settle();

        assertFalse(fixture.thread(0, 0).isDone(), "four quarters and their envelopes fit");
        assertEquals(3, fixture.sent("letter"));
        fixture.thread(1, 0).receive(0, TAG);
        fixture.settle();
        assertTrue(fixture.thread(0, 0).isDone());
        assertEquals(4, fixture.sent("letter"));
    }

    @Test
    void lettersLongerThanTheWindow_goOneAtATime() {
        ManualCluster fixture = new ManualCluster(2, 1);
        int big = (int) ProgramMessages.WINDOW_BYTES + 1;
        for (int i = 0; i < 3; i++) {
            fixture.thread(0, 0).send(1, TAG, letter(big + i));
            fixture.thread(1, 0).receive(0, TAG);
        }

        fixture.settle();

        assertTrue(fixture.thread(0, 0).isDone());
        assertEquals(List.of(big, big + 1, big + 2), received(fixture, 1, 0));
    }

    @Test
    void smallDebtAndABigLetter_doNotWaitForEachOther() {
        ManualCluster fixture = new ManualCluster(2, 1);
        int big = (int) ProgramMessages.WINDOW_BYTES * 2;
        fixture.thread(0, 0).send(1, TAG, letter(1)).send(1, TAG, letter(2));
        fixture.thread(0, 0).send(1, TAG, letter(big));
        fixture.thread(1, 0).receive(0, TAG).receive(0, TAG).receive(0, TAG);

        fixture.settle();

        assertEquals(List.of(1, 2, big), received(fixture, 1, 0));
    }

    @Test
    void bothSendingBigLettersToEachOther_doNotDeadlock() {
        ManualCluster fixture = new ManualCluster(2, 1);
        int big = (int) ProgramMessages.WINDOW_BYTES / 2 + 1;
        for (int i = 0; i < 2; i++) {
            fixture.thread(i, 0).send(1 - i, TAG, letter(big)).receive(1 - i, TAG);
            fixture.thread(i, 0).send(1 - i, TAG, letter(big)).receive(1 - i, TAG);
        }

        fixture.settle();

        assertEquals(List.of(big, big), received(fixture, 0, 0));
        assertEquals(List.of(big, big), received(fixture, 1, 0));
    }

    @Test
    void letterOfAnotherTagInTheWay_keepsItsPlaceAndItsCost() {
        ManualCluster fixture = new ManualCluster(2, 1);
        fixture.thread(0, 0).send(1, TAG, letter(3 * QUARTER)).send(1, TAG + 1, letter(QUARTER));
        fixture.thread(1, 0).receive(0, TAG + 1);
        fixture.settle();

        assertFalse(fixture.thread(1, 0).isDone(), "the other tag's letter fills the window");
        assertFalse(fixture.thread(0, 0).isDone());
    }

    @Test
    void emptyLettersThatNobodyReceives_areBoundedToo() {
        ManualCluster fixture = new ManualCluster(2, 1);
        int many = 100_000;
        for (int i = 0; i < many; i++) {
            fixture.thread(0, 0).send(1, TAG, Bytes.EMPTY);
        }

        fixture.settle();

        assertFalse(fixture.thread(0, 0).isDone());
        assertTrue(fixture.sent("letter") < many, "the receiver keeps them without limit");
    }

    @Test
    void receiverThatWaitedTooLong_isToldWhatDidNotComeAndTheLetterIsKept() {
        ManualCluster fixture = new ManualCluster(2, 1);
        fixture.thread(1, 0).receive(0, TAG, 1_000);
        fixture.settle();
        assertEquals(
                List.of(new Outcome.TimedOut("no message with tag 7 came from node 0")),
                fixture.thread(1, 0).outcomes());

        fixture.thread(0, 0).send(1, TAG, letter(4));
        fixture.thread(1, 0).receive(0, TAG);
        fixture.settle();

        assertEquals(List.of(4), received(fixture, 1, 0));
    }

    private static Bytes letter(int bytes) {
        return new Bytes(new byte[bytes]);
    }

    /** Lengths of the letters that a thread received, in order. */
    private static List<Integer> received(ManualCluster fixture, int node, int thread) {
        return fixture.thread(node, thread).outcomes().stream()
                .filter(Outcome.Delivered.class::isInstance)
                .map(outcome -> ((Outcome.Delivered) outcome).body().length())
                .toList();
    }
}
