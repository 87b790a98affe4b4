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

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.kernel.Counted;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ReservedBarriers;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.sync.SyncMessage.BarrierBroken;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.BarrierTimeout;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every cell of the table of {@link BarrierArrivals}, on node 1 of a cluster of two nodes with two
 * threads each: four parties in all.
 */
class BarrierArrivalsTest {
    private static final BarrierId SWEEP = new BarrierId("sweep");
    private static final BarrierId OTHER = new BarrierId("other");
    private static final int ALL = 4;
    private static final Counted PASSED = new Counted(NodeCounter.BARRIERS, 1);

    private final Acts acts = new Acts();
    private final BarrierArrivals arrivals =
            new BarrierArrivals(NodeId.of(1), 2, ALL, acts::begin, acts::acquire, acts.cargo);

    @Test
    void allocation_isForgottenWhenItHasFallen() {
        BarrierId words =
                ReservedBarriers.allocation(3, "words", "long[8]", Protocol.MIGRATORY, Home.BANDED);
        reach(0, words, Event.ALL_PARTIES);
        reach(1, words, Event.ALL_PARTIES);
        assertEquals("Whole", arrivals.stateOf(words));
        arrivals.onReleasePerformed(new GatedRelease.Arrival(words, 2, 0), acts.out);

        arrivals.onBarrierDepart(new BarrierDepart(words, 2, labelled("departure")), acts.out);

        assertEquals("Unknown", arrivals.stateOf(words));
    }

    // Unknown and Whole

    @Test
    void firstOfTwoThreads_waits() {
        reach(0, SWEEP, Event.ALL_PARTIES);

        acts.expect();
        acts.expectBegun();
    }

    @Test
    void lastThreadOfTheNode_beginsTheReleaseOfAll() {
        reach(0, SWEEP, Event.ALL_PARTIES);
        reach(1, SWEEP, ALL); // the same number, given explicitly

        acts.expect();
        acts.expectBegun(new GatedRelease.Arrival(SWEEP, 2, 0));
    }

    @Test
    void arrivalAtABarrierOfFewParties_doesNotWaitForTheOtherThreads() {
        reach(0, SWEEP, 2);

        acts.expectBegun(ofSome(SWEEP));
    }

    @Test
    void threadsWaitingAtDifferentBarriers_areSentWhenNoneOfTheNodeRuns() {
        reach(0, SWEEP, Event.ALL_PARTIES);
        reach(1, OTHER, Event.ALL_PARTIES);

        acts.expectBegun(
                new GatedRelease.Arrival(SWEEP, 1, 0), new GatedRelease.Arrival(OTHER, 1, 0));
    }

    @Test
    void lastThreadAtABarrierOfFewParties_sendsTheOthersAlong() {
        reach(0, SWEEP, Event.ALL_PARTIES);
        reach(1, OTHER, 3);

        acts.expectBegun(ofSome(OTHER), new GatedRelease.Arrival(SWEEP, 1, 0));
    }

    /** One thread at a barrier that does not wait for all. */
    private static GatedRelease ofSome(BarrierId barrier) {
        return new GatedRelease.Arrival(barrier, 1, 0, false, Bytes.EMPTY);
    }

    @Test
    void arrivalWithATimeLimit_armsItsTimer() {
        arrivals.onBarrierReached(
                new Event.BarrierReached(waiter(0), SWEEP, Event.ALL_PARTIES, 500), acts.out);

        acts.expect(arm(0, 500));
    }

    @Test
    void arrivals_sayHowManyHaveATimeLimit() {
        reach(0, SWEEP, Event.ALL_PARTIES);
        arrivals.onBarrierReached(
                new Event.BarrierReached(waiter(1), SWEEP, Event.ALL_PARTIES, 500), acts.out);
        acts.expectBegun(new GatedRelease.Arrival(SWEEP, 2, 1));
        acts.quietly();

        arrivals.onReleasePerformed(new GatedRelease.Arrival(SWEEP, 2, 1), acts.out);

        acts.expect(send(0, new BarrierArrive(SWEEP, 2, 1, ALL, labelled("cargo for 0"))));
    }

    @Test
    void arrivalWithOtherParties_isToldBothNumbers() {
        reach(0, SWEEP, 2);
        acts.quietly();

        reach(1, SWEEP, 3);

        acts.expect(
                answer(
                        1,
                        new Outcome.Broken(
                                "barrier 'sweep' is for 2 parties, but node 1 came with 3")));
    }

    @Test
    void releasePerformed_sendsTheArrivalsWithTheirCargo() {
        combined();

        performed(2);

        acts.expect(send(0, new BarrierArrive(SWEEP, 2, 0, ALL, labelled("cargo for 0"))));
    }

    @Test
    void departure_unloadsItsCargoAndResumesTheOldest() {
        reach(0, SWEEP, 2);
        reach(1, SWEEP, 2);
        acts.quietly();

        depart(1);

        acts.expect(PASSED, disarm(0), done(0));
        assertEquals(List.of("departure"), acts.cargo.unloaded);
        depart(1);
        acts.expect(PASSED, disarm(1), done(1));
    }

    @Test
    void threadsThatDepart_goOnWhenTheirAcquireIsPerformed() {
        reach(0, SWEEP, 2);
        reach(1, SWEEP, 2);
        acts.quietly();

        fall(1);
        acts.expect(PASSED);
        assertFalse(waitOver(0));
        fall(1);
        acts.expect(PASSED);

        acquired();
        acts.expect(disarm(0), done(0));
        acquired();
        acts.expect(disarm(1), done(1));
    }

    @Test
    void barrierThatBreaksWhileThreadsDepart_breaksForTheOthersOnly() {
        reach(0, SWEEP, 2);
        reach(1, SWEEP, 2);
        fall(1);
        acts.quietly();

        broken("late");
        acts.expect(disarm(1), answer(1, new Outcome.Broken("late")));
        acquired();

        acts.expect(disarm(0), done(0));
    }

    @Test
    void departingThreads_areNoMoreAmongThoseThatWait() {
        reach(0, SWEEP, 2);
        fall(1);
        acts.quietly();

        reach(1, OTHER, Event.ALL_PARTIES);

        acts.expectBegun();
        acts.expectViolation(() -> fall(1), "barrier=sweep", "BarrierDepart");
    }

    @Test
    void departureOfMoreThreadsThanWait_isImpossible() {
        reach(0, SWEEP, Event.ALL_PARTIES);

        acts.expectViolation(() -> fall(2), "barrier=sweep", "state=[thread 0]", "BarrierDepart");
    }

    @Test
    void messagesAboutAnUnknownBarrier_areImpossible() {
        acts.expectViolation(() -> fall(1), "barrier=sweep", "state=unknown", "BarrierDepart");
        acts.expectViolation(() -> performed(1), "barrier=sweep", "state=unknown", "Arrival");
    }

    @Test
    void newsThatTheBarrierIsBroken_isToldToAllWhoWait() {
        combined();

        broken("late");

        acts.expect(
                disarm(0),
                answer(0, new Outcome.Broken("late")),
                disarm(1),
                answer(1, new Outcome.Broken("late")));
    }

    @Test
    void newsOfABarrierNobodyCameTo_isRemembered() {
        broken("late");
        acts.expect();

        reach(0, SWEEP, Event.ALL_PARTIES);

        acts.expect(answer(0, new Outcome.Broken("late")));
    }

    // wait over

    @Test
    void waitOver_tellsTheManagerOfArrivalsThatItHasNotHeardOf() {
        reach(0, SWEEP, Event.ALL_PARTIES);
        acts.quietly();

        assertTrue(waitOver(0));

        acts.expect(send(0, new BarrierTimeout(SWEEP, ALL, 1, 0)));
    }

    @Test
    void waitOverWhileTheReleaseGoesOn_countsTheArrivalsUnderWay() {
        combined();

        assertTrue(waitOver(0));
        acts.expect(send(0, new BarrierTimeout(SWEEP, ALL, 2, 0)));
        performed(2);
        acts.quietly();
        assertTrue(waitOver(1));

        acts.expect(send(0, new BarrierTimeout(SWEEP, ALL, 0, 0)));
    }

    @Test
    void waitsOver_areTimedOutAndTheOthersBroken() {
        combined();
        waitOver(1);
        acts.quietly();

        broken("late");

        acts.expect(
                disarm(0),
                answer(0, new Outcome.Broken("late")),
                disarm(1),
                answer(1, new Outcome.TimedOut("late")));
    }

    @Test
    void departureThatDoesNotEndAWaitThatIsOver_isFollowedByAnotherTimeout() {
        reach(0, SWEEP, 2);
        reach(1, SWEEP, 2);
        performed(1);
        performed(1);
        waitOver(1);
        acts.quietly();

        depart(1);

        acts.expect(PASSED, send(0, new BarrierTimeout(SWEEP, 2, 0, 1)), disarm(0), done(0));
    }

    @Test
    void departureThatEndsAWaitThatIsOver_isTheEndOfIt() {
        combined();
        waitOver(0);
        acts.quietly();

        depart(2);

        acts.expect(PASSED, disarm(0), done(0), disarm(1), done(1));
    }

    @Test
    void waitOverOfAThreadThatDoesNotWait_isIgnored() {
        assertFalse(waitOver(0));
        reach(1, SWEEP, Event.ALL_PARTIES);
        acts.quietly();

        assertFalse(waitOver(0));

        acts.expect();
    }

    // Broken

    @Test
    void arrivalAtABrokenBarrier_isToldAtOnce() {
        combined();
        broken("late");
        acts.quietly();

        reach(0, SWEEP, Event.ALL_PARTIES);

        acts.expect(answer(0, new Outcome.Broken("late")));
        acts.expectBegun();
    }

    @Test
    void releasePerformedOfABrokenBarrier_isSentAllTheSame() {
        combined();
        broken("late");
        acts.quietly();

        performed(2);

        acts.expect(send(0, new BarrierArrive(SWEEP, 2, 0, ALL, labelled("cargo for 0"))));
    }

    @Test
    void whateverElseCrossedTheNews_isIgnored() {
        combined();
        broken("late");
        acts.quietly();

        fall(2);
        broken("again");

        assertFalse(waitOver(0));
        acts.expect();
    }

    private void combined() {
        reach(0, SWEEP, Event.ALL_PARTIES);
        reach(1, SWEEP, Event.ALL_PARTIES);
        acts.quietly();
    }

    private void reach(int thread, BarrierId barrier, int parties) {
        arrivals.onBarrierReached(
                new Event.BarrierReached(waiter(thread), barrier, parties, -1), acts.out);
    }

    private void performed(int count) {
        arrivals.onReleasePerformed(new GatedRelease.Arrival(SWEEP, count, 0), acts.out);
    }

    /** The barrier completes, and its departure is acquired. */
    private void depart(int count) {
        fall(count);
        acquired();
    }

    private void fall(int count) {
        arrivals.onBarrierDepart(new BarrierDepart(SWEEP, count, labelled("departure")), acts.out);
    }

    private void acquired() {
        arrivals.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Departure.class), acts.out);
    }

    private void broken(String reason) {
        arrivals.onBarrierBroken(new BarrierBroken(SWEEP, reason), acts.out);
    }

    private boolean waitOver(int thread) {
        return arrivals.onWaitOver(SWEEP, waiter(thread), acts.out);
    }
}
