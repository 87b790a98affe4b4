package io.muninn.sync;

import static io.muninn.sync.Acts.send;
import static io.muninn.sync.FakeCargoHold.labelled;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.spi.Effect;
import io.muninn.spi.ReservedBarriers;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.sync.SyncMessage.BarrierBroken;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.BarrierTimeout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link BarrierManager}, with three nodes of two threads each. */
class BarrierManagerTest {
    private static final BarrierId SWEEP = new BarrierId("sweep");
    private static final BarrierId OTHER = new BarrierId("other");
    private static final int NODES = 3;
    private static final int ALL = 6;

    private final Acts acts = new Acts();
    private final BarrierManager manager = new BarrierManager(NODES, 2, acts.cargo);

    // Open

    @Test
    void arrivalBeforeTheLast_isCounted() {
        arrive(0, SWEEP, 2, ALL);
        arrive(1, SWEEP, 2, ALL);

        acts.expect();
    }

    @Test
    void lastArrival_letsEveryNodeGoWithItsCargo() {
        arrive(2, SWEEP, 2, ALL);
        arrive(0, SWEEP, 2, ALL);

        arrive(1, SWEEP, 2, ALL);

        acts.expect(depart(0, 2), depart(1, 2), depart(2, 2));
    }

    @Test
    void barrierThatHasFallen_countsFromTheStart() {
        for (int i = 0; i < 3; i++) {
            arrive(0, SWEEP, 2, ALL);
            arrive(1, SWEEP, 2, ALL);
            acts.expect();
            arrive(2, SWEEP, 2, ALL);
            acts.expect(depart(0, 2), depart(1, 2), depart(2, 2));
        }
    }

    @Test
    void arrivalsOfOneNodeInParts_addUp() {
        arrive(1, SWEEP, 1, 2);

        arrive(1, SWEEP, 1, 2);

        acts.expect(depart(1, 2));
    }

    @Test
    void arrivalWithOtherParties_breaksTheBarrier() {
        arrive(0, SWEEP, 1, 3);

        arrive(2, SWEEP, 1, 2);

        expectBroken(SWEEP, "barrier 'sweep' is for 3 parties, but node 2 came with 2");
    }

    @Test
    void moreArrivalsThanParties_breakTheBarrier() {
        arrive(0, SWEEP, 2, 3);

        arrive(2, SWEEP, 2, 3);

        expectBroken(SWEEP, "barrier 'sweep': 4 threads came for 3 parties");
    }

    @Test
    void everyThreadWaiting_breaksEveryBarrierThatSomebodyWaitsAt() {
        arrive(0, SWEEP, 2, ALL);
        arrive(1, SWEEP, 2, ALL);
        arrive(2, SWEEP, 1, ALL);

        arrive(2, OTHER, 1, 2);

        String reason =
                "every thread waits, none can go on: "
                        + "barrier 'sweep' has 5 of 6 parties, missing: node 2 (1 of 2); "
                        + "barrier 'other' has 1 of 2 parties, arrived: node 2 (1)";
        Object[] told = new Object[2 * NODES];
        for (int i = 0; i < NODES; i++) {
            told[i] = send(i, new BarrierBroken(SWEEP, reason));
            told[NODES + i] = send(i, new BarrierBroken(OTHER, reason));
        }
        acts.expect(told);
    }

    @Test
    void everyThreadWaitsButOneHasATimeLimit_itsTimeoutBreaksItsBarrierAlone() {
        arrive(0, SWEEP, 2, ALL);
        arrive(1, SWEEP, 2, ALL);
        arrive(2, SWEEP, 1, 1, ALL);
        acts.expect();

        arrive(2, OTHER, 1, 2);
        acts.expect();
        timeout(2, 0, 0);

        expectBroken(SWEEP, "barrier 'sweep' has 5 of 6 parties, missing: node 2 (1 of 2)");
    }

    // BarrierTimeout

    @Test
    void timeout_tellsEveryNodeWhoIsMissing() {
        arrive(0, SWEEP, 2, ALL);

        timeout(1, 1, 0);

        expectBroken(
                SWEEP,
                "barrier 'sweep' has 3 of 6 parties, missing: node 1 (1 of 2), node 2 (2 of 2)");
    }

    @Test
    void timeoutOfABarrierOfFewParties_namesWhoHasCome() {
        arrive(2, SWEEP, 1, 3);

        manager.onBarrierTimeout(NodeId.of(2), new BarrierTimeout(SWEEP, 3, 0, 0), acts.out);

        expectBroken(SWEEP, "barrier 'sweep' has 1 of 3 parties, arrived: node 2 (1)");
    }

    @Test
    void timeoutOfABarrierNobodyElseCameTo_breaksIt() {
        timeout(1, 2, 0);

        expectBroken(
                SWEEP,
                "barrier 'sweep' has 2 of 6 parties, missing: node 0 (2 of 2), node 2 (2 of 2)");
    }

    @Test
    void timeoutThatCrossedADeparture_isIgnoredAndASecondOneIsNot() {
        arrive(1, SWEEP, 1, 2);
        arrive(0, SWEEP, 1, 2);
        arrive(1, SWEEP, 1, 2); // of the next round
        acts.quietly();

        manager.onBarrierTimeout(NodeId.of(1), new BarrierTimeout(SWEEP, 2, 0, 0), acts.out);
        acts.expect();
        manager.onBarrierTimeout(NodeId.of(1), new BarrierTimeout(SWEEP, 2, 0, 1), acts.out);

        expectBroken(SWEEP, "barrier 'sweep' has 1 of 2 parties, arrived: node 1 (1)");
    }

    /** Their threads wait for different allocations, and will never agree. */
    @Test
    void twoAllocationsAtATime_breakWithBothVariablesAndNodes() {
        BarrierId words =
                ReservedBarriers.allocation(3, "words", "long[8]", Protocol.MIGRATORY, Home.BANDED);
        BarrierId rows =
                ReservedBarriers.allocation(
                        3, "rows", "double[2][4]", Protocol.WRITE_SHARED, Home.BANDED);
        arrive(2, words, 2, ALL);
        arrive(0, rows, 2, ALL);

        String reason =
                "nodes allocate differently: node 2 variable 'words', long[8] MIGRATORY, and node 0"
                        + " variable 'rows', double[2][4] WRITE_SHARED; all threads allocate the"
                        + " same variables in the same order";
        Object[] told = new Object[2 * NODES];
        for (int i = 0; i < NODES; i++) {
            told[i] = send(i, new BarrierBroken(words, reason));
            told[NODES + i] = send(i, new BarrierBroken(rows, reason));
        }
        acts.expect(told);
    }

    @Test
    void allocationThatNotAllReach_isNamedByItsVariable() {
        BarrierId words =
                ReservedBarriers.allocation(3, "words", "long[8]", Protocol.MIGRATORY, Home.BANDED);
        arrive(2, words, 2, ALL);
        arrive(0, words, 2, ALL);
        arrive(1, SWEEP, 2, ALL);

        String reason =
                "every thread waits, none can go on: allocation of variable 'words', long[8]"
                        + " MIGRATORY has 4 of 6 parties, missing: node 1 (2 of 2); barrier 'sweep'"
                        + " has 2 of 6 parties, missing: node 0 (2 of 2), node 2 (2 of 2)";
        Object[] told = new Object[2 * NODES];
        for (int i = 0; i < NODES; i++) {
            told[i] = send(i, new BarrierBroken(words, reason));
            told[NODES + i] = send(i, new BarrierBroken(SWEEP, reason));
        }
        acts.expect(told);
    }

    // cargo

    @Test
    void arrivalsOfOneNodeInParts_eachCountForTheDepartures() {
        arrive(1, SWEEP, 1, 3);
        arrive(1, SWEEP, 1, 3);
        arrive(0, SWEEP, 1, 3);

        expectCounted("arrival of 1 at sweep", "arrival of 1 at sweep", "arrival of 0 at sweep");
    }

    @Test
    void arrivalThatBreaksTheBarrier_countsForTheDepartures() {
        arrive(2, SWEEP, 2, 1);

        expectCounted("arrival of 2 at sweep");
    }

    @Test
    void arrivalAtABrokenBarrier_countsForTheDepartures() {
        timeout(1, 1, 0);

        arrive(0, SWEEP, 2, ALL);

        expectCounted("arrival of 0 at sweep");
    }

    // Broken

    @Test
    void whateverComesToABrokenBarrier_isIgnored() {
        timeout(1, 1, 0);
        acts.quietly();

        arrive(0, SWEEP, 2, ALL);
        timeout(2, 1, 0);

        acts.expect();
    }

    @Test
    void brokenBarrier_doesNotKeepOthersFromFalling() {
        timeout(1, 1, 0);
        acts.quietly();

        arrive(0, OTHER, 1, 2);
        arrive(1, OTHER, 1, 2);

        acts.expect(
                send(0, new BarrierDepart(OTHER, 1, labelled("departure"))),
                send(1, new BarrierDepart(OTHER, 1, labelled("departure"))));
    }

    private void expectCounted(String... arrivals) {
        assertEquals(List.of(arrivals), acts.cargo.arrivals);
    }

    private void arrive(int from, BarrierId barrier, int count, int parties) {
        arrive(from, barrier, count, 0, parties);
    }

    private void arrive(int from, BarrierId barrier, int count, int timed, int parties) {
        manager.onBarrierArrive(
                NodeId.of(from),
                new BarrierArrive(barrier, count, timed, parties, labelled("arrival of " + from)),
                acts.out);
    }

    private void timeout(int from, int local, int departed) {
        manager.onBarrierTimeout(
                NodeId.of(from), new BarrierTimeout(SWEEP, ALL, local, departed), acts.out);
    }

    private static Effect depart(int to, int count) {
        return send(to, new BarrierDepart(SWEEP, count, labelled("departure")));
    }

    private void expectBroken(BarrierId barrier, String reason) {
        Object[] told = new Object[NODES];
        for (int i = 0; i < NODES; i++) {
            told[i] = send(i, new BarrierBroken(barrier, reason));
        }
        acts.expect(told);
    }
}
