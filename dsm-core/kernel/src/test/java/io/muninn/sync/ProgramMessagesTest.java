package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.arm;
import static io.muninn.sync.Acts.disarm;
import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static io.muninn.sync.FakeCargoHold.labelled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.Letter;
import io.muninn.sync.SyncMessage.LetterCredit;
import io.muninn.sync.SyncMessage.LetterStall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link ProgramMessages}, on node 1. */
class ProgramMessagesTest {
    private static final int TAG = 7;
    private static final int LETTER_BYTES = 64; // besides its body
    private static final int QUARTER = (int) ProgramMessages.WINDOW_BYTES / 4;
    private static final Bytes SMALL = new Bytes(new byte[10]);
    private static final Bytes BIG = new Bytes(new byte[3 * QUARTER]);
    private static final Bytes HUGE = new Bytes(new byte[5 * QUARTER]);
    private static final Effect STALL = send(2, LetterStall.INSTANCE);

    private final Acts acts = new Acts();
    private final ProgramMessages box =
            new ProgramMessages(
                    NodeId.of(1),
                    new NodeThreads(1, 2),
                    acts::begin,
                    acts::acquire,
                    acts.cargo,
                    new OneProcess());

    // SendCalled

    @Test
    void send_releasesBeforeAnythingLeaves() {
        box.onSendCalled(new Event.SendCalled(waiter(0), NodeId.of(2), TAG, SMALL), acts.out);

        acts.expect();
        acts.expectBegun(new GatedRelease.Letter(waiter(0), NodeId.of(2), TAG, SMALL));
    }

    @Test
    void releasePerformedWithTheWindowOpen_sends() {
        performed(0, 2, SMALL);

        acts.expect(sent(2, SMALL), done(0));
    }

    @Test
    void releasePerformedWithTheWindowFull_waitsAndSaysSoOnce() {
        performed(0, 2, BIG);
        acts.quietly();

        performed(1, 2, BIG);
        acts.expect(STALL);
        performed(2, 2, SMALL); // would fit, but not before the waiting one

        acts.expect();
    }

    @Test
    void letterThatFillsTheWindow_goesAndOneByteMoreWaits() {
        Bytes rest = new Bytes(new byte[QUARTER - 2 * LETTER_BYTES]);
        Bytes more = new Bytes(new byte[QUARTER - 2 * LETTER_BYTES + 1]);
        performed(0, 2, BIG);
        performed(0, 3, BIG);
        acts.quietly();

        performed(1, 2, rest);
        acts.expect(sent(2, rest), done(1));
        performed(1, 3, more);
        acts.expect(send(3, LetterStall.INSTANCE));
    }

    @Test
    void letterLongerThanTheWindow_goesWhenNothingElseIsUnderWay() {
        performed(0, 2, HUGE);
        acts.expect(sent(2, HUGE), done(0));

        performed(1, 2, SMALL);

        acts.expect(STALL);
    }

    @Test
    void windows_areOfOneNodeEach() {
        performed(0, 2, HUGE);
        acts.quietly();

        performed(1, 3, SMALL);

        acts.expect(sent(3, SMALL), done(1));
    }

    @Test
    void letterToTheOwnNode_isDeliveredHere() {
        receive(1, 1, TAG);
        acts.quietly();

        performed(0, 1, SMALL);

        acts.expect(done(0), disarm(1), delivered(1, 1, SMALL));
    }

    // Letter

    @Test
    void letterThatAReceiverWaitsFor_isGivenToTheOldest() {
        receive(0, 2, TAG);
        receive(1, Event.ANY_NODE, TAG);

        box.onLetter(NodeId.of(2), letter(TAG, SMALL), acts.out);
        acquired();

        acts.expect(disarm(0), delivered(0, 2, SMALL));
    }

    @Test
    void letterThatNobodyWaitsFor_isKept() {
        receive(0, 2, TAG);
        receive(1, 3, TAG);

        box.onLetter(NodeId.of(2), letter(TAG + 1, SMALL), acts.out);
        box.onLetter(NodeId.of(4), letter(TAG, SMALL), acts.out);

        acts.expect();
    }

    // ReceiveCalled

    @Test
    void receive_takesTheOldestThatMatches() {
        box.onLetter(NodeId.of(3), letter(TAG + 1, HUGE), acts.out);
        box.onLetter(NodeId.of(3), letter(TAG, SMALL), acts.out);
        box.onLetter(NodeId.of(2), letter(TAG, Bytes.EMPTY), acts.out);

        receive(0, Event.ANY_NODE, TAG);
        acquired();
        acts.expect(disarm(0), delivered(0, 3, SMALL));
        receive(0, 2, TAG);
        acquired();

        acts.expect(disarm(0), delivered(0, 2, Bytes.EMPTY));
    }

    @Test
    void receiveOfNothing_waitsAndArmsItsTimer() {
        box.onReceiveCalled(new Event.ReceiveCalled(waiter(0), 2, TAG, 300), acts.out);

        acts.expect(arm(0, 300));
    }

    @Test
    void receiverThatGivesUp_isToldWhatDidNotCome() {
        receive(0, Event.ANY_NODE, TAG);
        receive(1, 2, TAG);

        assertTrue(box.giveUp(waiter(1), acts.out));
        assertTrue(box.giveUp(waiter(0), acts.out));
        assertFalse(box.giveUp(waiter(0), acts.out));

        acts.expect(
                answer(1, new Outcome.TimedOut("no message with tag 7 came from node 2")),
                answer(0, new Outcome.TimedOut("no message with tag 7 came from any node")));
    }

    @Test
    void letter_isNotGivenToItsThreadBeforeItIsAcquired() {
        receive(0, 2, TAG);

        box.onLetter(NodeId.of(2), letter(TAG, SMALL), acts.out);

        acts.expect(disarm(0));
        assertEquals(List.of("letter"), acts.cargo.unloaded);
        assertFalse(box.giveUp(waiter(0), acts.out));
        acquired();
        acts.expect(delivered(0, 2, SMALL));
    }

    @Test
    void lettersAcquiredInAnotherOrder_areGivenToTheirThreads() {
        receive(0, 2, TAG);
        receive(1, 2, TAG);
        box.onLetter(NodeId.of(2), letter(TAG, SMALL), acts.out);
        box.onLetter(NodeId.of(2), letter(TAG, BIG), acts.out);
        GatedAcquire.Letter first = acts.takeAcquire(GatedAcquire.Letter.class);
        acts.quietly();

        acquired();
        acts.expect(delivered(1, 2, BIG), send(2, new LetterCredit(BIG.length() + 64)));
        box.onAcquirePerformed(first, acts.out);

        acts.expect(delivered(0, 2, SMALL));
    }

    // LetterCredit

    @Test
    void quarterOfTheWindowReceived_isGivenBack() {
        take(2, new Bytes(new byte[QUARTER - 200]));
        acts.expect(disarm(0), delivered(0, 2, new Bytes(new byte[QUARTER - 200])));

        take(2, SMALL);
        take(2, SMALL);

        long credit = QUARTER - 200 + 64 + 2 * (10 + 64);
        acts.expect(
                disarm(0),
                delivered(0, 2, SMALL),
                disarm(0),
                delivered(0, 2, SMALL),
                send(2, new LetterCredit(credit)));
    }

    @Test
    void creditWithLettersWaiting_sendsThoseThatFit() {
        performed(0, 2, BIG);
        performed(1, 2, BIG);
        performed(2, 2, SMALL);
        acts.quietly();

        credit(2, BIG.length() + 64);

        acts.expect(sent(2, BIG), done(1), sent(2, SMALL), done(2));
    }

    @Test
    void creditThatIsNotEnough_isFollowedByAnotherStall() {
        performed(0, 2, SMALL);
        performed(0, 2, SMALL);
        performed(1, 2, HUGE);
        acts.quietly();

        credit(2, SMALL.length() + 64);
        acts.expect(STALL);
        credit(2, SMALL.length() + 64);

        acts.expect(sent(2, HUGE), done(1));
    }

    @Test
    void creditBeyondTheDebt_isImpossible() {
        acts.expectViolation(() -> credit(2, 1), "node=2", "window=none", "LetterCredit[bytes=1]");
        performed(0, 2, SMALL);
        acts.quietly();
        acts.expectViolation(
                () -> credit(2, SMALL.length() + 65), "node=2", "window=74 bytes", "LetterCredit");
    }

    // LetterStall

    @Test
    void stallWithCreditOwed_isAnsweredAtOnce() {
        take(2, SMALL);
        acts.quietly();

        box.onLetterStall(NodeId.of(2), acts.out);

        acts.expect(send(2, new LetterCredit(74)));
    }

    @Test
    void stallWithNothingOwed_isAnsweredWithTheNextLetterReceived() {
        box.onLetterStall(NodeId.of(2), acts.out);
        acts.expect();

        take(2, SMALL);
        acts.expect(disarm(0), delivered(0, 2, SMALL), send(2, new LetterCredit(74)));
        take(2, SMALL);

        acts.expect(disarm(0), delivered(0, 2, SMALL));
    }

    private void performed(int thread, int to, Bytes body) {
        box.onReleasePerformed(
                new GatedRelease.Letter(waiter(thread), NodeId.of(to), TAG, body), acts.out);
    }

    private void receive(int thread, int from, int tag) {
        box.onReceiveCalled(new Event.ReceiveCalled(waiter(thread), from, tag, -1), acts.out);
    }

    /** A letter arrives, and thread 0 receives it. */
    private void take(int from, Bytes body) {
        box.onLetter(NodeId.of(from), letter(TAG, body), acts.out);
        receive(0, from, TAG);
        acquired();
    }

    private void acquired() {
        box.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Letter.class), acts.out);
    }

    private void credit(int from, long bytes) {
        box.onLetterCredit(NodeId.of(from), new LetterCredit(bytes), acts.out);
    }

    private static Letter letter(int tag, Bytes body) {
        return new Letter(tag, labelled("letter"), body);
    }

    private static Effect sent(int to, Bytes body) {
        return send(to, new Letter(TAG, labelled("cargo for " + to), body));
    }

    private static Effect delivered(int thread, int from, Bytes body) {
        return answer(thread, new Outcome.Delivered(from, body));
    }
}
