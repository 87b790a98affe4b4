package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Barriers of several nodes: combining, parties, time limits, and notifications when one breaks.
 */
class BarriersTest {
    private static final BarrierId BARRIER = new BarrierId("sweep");
    private static final BarrierId OTHER = new BarrierId("other");
    private static final long LIMIT_NANOS = 1_000;

    @Test
    void arrivalsOfOneNode_combineIntoOneMessageEachWay() {
        ManualCluster fixture = new ManualCluster(3, 4);
        awaitEverywhere(fixture, BARRIER);

        fixture.settle();

        assertAllAre(fixture, Outcome.DONE);
        assertEquals(2, fixture.sent("barrier-arrive"), "the root sends itself none");
        assertEquals(2, fixture.sent("barrier-depart"));
        assertEquals(3, fixture.count(NodeCounter.BARRIERS));
    }

    @Test
    void barrierUsedAgainAndAgain_fallsEachTime() {
        ManualCluster fixture = new ManualCluster(3, 2);
        for (int i = 0; i < 10; i++) {
            awaitEverywhere(fixture, BARRIER);
            awaitEverywhere(fixture, OTHER);
        }

        fixture.settle();

        assertAllAre(fixture, Outcome.DONE);
        assertEquals(20, fixture.thread(2, 1).outcomes().size());
    }

    @Test
    void barrierOfTwo_letsTheOldestTwoGoAndKeepsTheThird() {
        ManualCluster fixture = new ManualCluster(2, 3);
        fixture.thread(1, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settle();
        fixture.thread(1, 1).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settle();
        fixture.thread(1, 2).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isDone());
        assertTrue(fixture.thread(1, 1).isDone());
        assertEquals(List.of(), fixture.thread(1, 2).outcomes());
        fixture.thread(0, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settle();
        assertTrue(fixture.thread(1, 2).isDone());
    }

    @Test
    void nodesWithDifferingParties_areToldWhoCameWithWhat() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.thread(1, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settle();

        fixture.thread(2, 0).await(BARRIER, 3, ManualThread.FOR_EVER);
        fixture.settle();

        Outcome broken =
                new Outcome.Broken("barrier 'sweep' is for 2 parties, but node 2 came with 3");
        assertEquals(List.of(broken), fixture.thread(1, 0).outcomes());
        assertEquals(List.of(broken), fixture.thread(2, 0).outcomes());
    }

    @Test
    void threadsOfOneNodeWithDifferingParties_areTold() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(1, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settle();

        fixture.thread(1, 1).await(BARRIER, 3, ManualThread.FOR_EVER);
        fixture.settle();

        assertEquals(
                List.of(
                        new Outcome.Broken(
                                "barrier 'sweep' is for 2 parties, but node 1 came with 3")),
                fixture.thread(1, 1).outcomes());
    }

    @Test
    void waitOver_namesTheMissing() {
        ManualCluster fixture = new ManualCluster(3, 2);
        fixture.thread(0, 0).await(BARRIER);
        fixture.thread(0, 1).await(BARRIER);
        fixture.thread(1, 0).await(BARRIER, Event.ALL_PARTIES, LIMIT_NANOS);
        fixture.settle();

        String missing =
                "barrier 'sweep' has 3 of 6 parties,"
                        + " missing: node 1 (1 of 2), node 2 (2 of 2)";
        assertEquals(List.of(new Outcome.TimedOut(missing)), fixture.thread(1, 0).outcomes());
        assertEquals(List.of(new Outcome.Broken(missing)), fixture.thread(0, 0).outcomes());
        fixture.thread(1, 1).await(BARRIER);
        fixture.thread(2, 1).await(BARRIER);
        fixture.settle();
        assertEquals(List.of(new Outcome.Broken(missing)), fixture.thread(1, 1).outcomes());
        assertEquals(List.of(new Outcome.Broken(missing)), fixture.thread(2, 1).outcomes());
    }

    @Test
    void waitOverWhileTheArrivalIsStillFlushing_isNotForgotten() {
        PageId page = new PageId(0, 0);
        ManualCluster fixture =
                new ManualCluster(3, 1, ManualCluster.region(0, Protocol.WRITE_SHARED, 1));
        fixture.thread(0, 0).load(page, 0, _ -> {});
        fixture.settle();
        fixture.thread(2, 0).load(page, 0, _ -> {});
        fixture.settle();
        fixture.thread(1, 0).store(page, 0, 1);
        fixture.settle();
        fixture.hold(2, 1); // node 2's acknowledgement is late
        fixture.thread(1, 0).await(BARRIER, Event.ALL_PARTIES, LIMIT_NANOS);
        fixture.settle();

        fixture.free(2, 1);
        fixture.settle();

        assertInstanceOf(Outcome.TimedOut.class, fixture.thread(1, 0).outcomes().getLast());
    }

    @Test
    void twoWaitsOver_areBothTimedOut() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.hold(0, 1);
        fixture.thread(1, 0).await(BARRIER, Event.ALL_PARTIES, LIMIT_NANOS);
        fixture.thread(1, 1).await(BARRIER, Event.ALL_PARTIES, LIMIT_NANOS);
        fixture.settle();

        fixture.free(0, 1);
        fixture.settle();

        assertInstanceOf(Outcome.TimedOut.class, fixture.thread(1, 0).outcomes().getLast());
        assertInstanceOf(Outcome.TimedOut.class, fixture.thread(1, 1).outcomes().getLast());
    }

    @Test
    void waitOverThatCrossesTheDeparture_doesNotBreakTheNextRound() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(1, 0).await(BARRIER, 2, LIMIT_NANOS);
        fixture.settleNow();
        fixture.hold(0, 1);
        fixture.thread(0, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settleNow(); // all have arrived; the departure is in transit to node 1
        fixture.thread(1, 1).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settleNow();
        fixture.passToNextTimer();
        fixture.settleNow(); // node 1's first wait is over

        fixture.free(0, 1);
        fixture.settle();

        assertEquals(List.of(Outcome.DONE), fixture.thread(1, 0).outcomes());
        assertEquals(List.of(), fixture.thread(1, 1).outcomes(), "its round goes on");
        fixture.thread(0, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settle();
        assertEquals(List.of(Outcome.DONE), fixture.thread(1, 1).outcomes());
    }

    @Test
    void waitOverOfTheSecondRound_survivesTheDepartureOfTheFirst() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(1, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settleNow();
        fixture.hold(0, 1);
        fixture.thread(0, 0).await(BARRIER, 2, ManualThread.FOR_EVER);
        fixture.settleNow();
        fixture.thread(1, 1).await(BARRIER, 2, LIMIT_NANOS);
        fixture.settleNow();
        fixture.passToNextTimer();
        fixture.settleNow();

        fixture.free(0, 1);
        fixture.settle();

        assertEquals(List.of(Outcome.DONE), fixture.thread(1, 0).outcomes());
        assertInstanceOf(Outcome.TimedOut.class, fixture.thread(1, 1).outcomes().getLast());
    }

    @Test
    void lateThreadThatDepartedAfterAll_isNotLateTheNextTime() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.thread(1, 0).await(BARRIER, Event.ALL_PARTIES, LIMIT_NANOS);
        fixture.thread(2, 0).await(BARRIER);
        fixture.settleNow();
        fixture.hold(0, 1);
        fixture.thread(0, 0).await(BARRIER);
        fixture.settle(); // all have arrived; node 1 is not notified before its time-out
        fixture.free(0, 1);
        fixture.settle();
        assertEquals(List.of(Outcome.DONE), fixture.thread(1, 0).outcomes());

        fixture.thread(1, 0).await(BARRIER);
        fixture.thread(0, 0).await(BARRIER, Event.ALL_PARTIES, LIMIT_NANOS);
        fixture.settle();

        assertInstanceOf(Outcome.Broken.class, fixture.thread(1, 0).outcomes().getLast());
    }

    @Test
    void brokenBarrier_tellsThreadsWhoseArrivalsHaveNotCombined() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(1, 0).await(BARRIER); // the other thread of node 1 is busy
        fixture.settle();

        fixture.thread(0, 0).await(BARRIER, Event.ALL_PARTIES, LIMIT_NANOS);
        fixture.settle();

        assertInstanceOf(Outcome.TimedOut.class, fixture.thread(0, 0).outcomes().getLast());
        assertInstanceOf(Outcome.Broken.class, fixture.thread(1, 0).outcomes().getLast());
    }

    @Test
    void everyThreadWaitingAtBarriersThatCannotFall_isTold() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(0, 0).await(BARRIER);
        fixture.thread(0, 1).await(OTHER, 3, ManualThread.FOR_EVER);
        fixture.thread(1, 0).await(OTHER, 3, ManualThread.FOR_EVER);
        fixture.thread(1, 1).await(BARRIER);

        fixture.settle();

        fixture.everyThread()
                .forEach(thread ->
                        assertInstanceOf(Outcome.Broken.class, thread.outcomes().getLast()));
    }

    @Test
    void threadAtAnotherBarrierThatComesLast_makesTheNodeSendWhatHasNotCombined() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(0, 0).await(BARRIER);
        fixture.settle();
        fixture.thread(0, 1).await(OTHER, 3, ManualThread.FOR_EVER);
        fixture.settle();
        fixture.thread(1, 0).await(BARRIER);
        fixture.settle();
        fixture.thread(1, 1).await(OTHER, 3, ManualThread.FOR_EVER);
        fixture.settle();

        Outcome.Broken broken =
                assertInstanceOf(Outcome.Broken.class, fixture.thread(0, 0).outcomes().getLast());
        assertTrue(
                broken.reason().startsWith("every thread waits, none can go on: "),
                broken.reason());
        assertTrue(broken.reason().contains("'sweep' has 2 of 4"), broken.reason());
        assertTrue(broken.reason().contains("'other' has 2 of 3"), broken.reason());
    }

    @Test
    void manyBarriersThatCannotFall_areNotAllNamed() {
        ManualCluster fixture = new ManualCluster(64, 4);
        for (int node = 0; node < 64; node++) {
            for (int i = 0; i < 4; i++) {
                BarrierId name = new BarrierId("b".repeat(190) + node + "-" + i);
                fixture.thread(node, i).await(name, 256 * 256, ManualThread.FOR_EVER);
            }
        }

        fixture.settle();

        Outcome.Broken broken =
                assertInstanceOf(Outcome.Broken.class, fixture.thread(63, 3).outcomes().getLast());
        assertTrue(broken.reason().length() < 8_000, broken.reason());
        assertTrue(broken.reason().endsWith("; and 248 more"), broken.reason());
    }

    @Test
    void messageBeforeTheBarrier_isThereAfterIt() {
        ManualCluster fixture = new ManualCluster(2, 1);
        fixture.thread(1, 0).send(0, 1, Bytes.EMPTY).await(BARRIER);
        fixture.thread(0, 0).await(BARRIER).receive(1, 1);

        fixture.settle();

        assertTrue(fixture.thread(0, 0).isDone());
    }

    private static void awaitEverywhere(ManualCluster fixture, BarrierId barrier) {
        fixture.everyThread().forEach(thread -> thread.await(barrier));
    }

    private static void assertAllAre(ManualCluster fixture, Outcome outcome) {
        for (ManualThread thread : fixture.everyThread()) {
            assertTrue(thread.isDone(), thread::toString);
            thread.outcomes().forEach(each -> assertEquals(outcome, each));
        }
    }
}
