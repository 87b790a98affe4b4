package io.muninn.verify.check;

import static io.muninn.api.Protocol.CONVENTIONAL;
import static io.muninn.api.Protocol.WRITE_SHARED;
import static io.muninn.verify.check.Runs.END;
import static io.muninn.verify.check.Runs.LOCK;
import static io.muninn.verify.check.Runs.PAGE;
import static io.muninn.verify.check.Runs.assertSays;
import static io.muninn.verify.check.Runs.region;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Protocol;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The values that loads of write-shared elements may return: operations of threads are reported by
 * the test, then allowed and forbidden values are loaded. Threads 0 and 1 are on node 0, threads 2
 * and 3 on node 1, threads 4 and 5 on node 2.
 */
class ReleaseConsistencyTest {
    private static final int AT = 16;
    private static final long LETTER = 1;

    private final Arena arena = Arena.ofConfined();
    private final ClusterView overview = new ClusterView();
    private final VectorTimestamps timestamps = new VectorTimestamps();
    private final Stores stores = new Stores(overview, timestamps);
    private final ReleaseConsistency checker = new ReleaseConsistency(timestamps, stores);
    private Simulation simulation;

    @BeforeEach
    void begin() {
        begin(WRITE_SHARED, 4);
    }

    private void begin(Protocol protocol, int granuleBytes) {
        List<Observer> observers = List.of(overview, timestamps, stores, checker);
        simulation = Runs.still(arena, region(protocol, granuleBytes), 2, observers);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private SimThread thread(int position) {
        return simulation.nodes().get(position / 2).threads().get(position % 2);
    }

    private void store(int thread, int value) {
        stores.onStore(thread(thread), PAGE, AT, 4, value);
    }

    private void load(int thread, int value) {
        checker.onLoad(thread(thread), PAGE, AT, 4, value);
    }

    private void acquire(int thread) {
        timestamps.onAcquired(thread(thread), LOCK);
    }

    private void release(int thread) {
        timestamps.onRelease(thread(thread), LOCK);
    }

    private void pass(int from, int to) {
        release(from);
        acquire(to);
    }

    private Violation refused(int thread, int value) {
        Violation found = assertThrows(Violation.class, () -> load(thread, value));
        assertEquals(ReleaseConsistency.NAME, found.checker());
        return found;
    }

    // happened-before

    @Test
    void elementThatNobodyStoredTo_isZero() {
        load(2, 0);

        assertSays(refused(2, 1), "allowed: 0 (initially)");
    }

    @Test
    void ownStores_areSeenAtOnce() {
        store(0, 5);

        load(0, 5);
        refused(0, 0);
    }

    @Test
    void storeBeforeARelease_isSeenByWhoAcquiresLater() {
        store(0, 5);
        pass(0, 2);

        load(2, 5);
        assertSays(refused(2, 0), "a later store happened before the load");
    }

    @Test
    void storeBehindARelease_needNotBeSeen() {
        release(0);
        store(0, 5);
        acquire(2);

        load(2, 0);
        load(2, 5);
    }

    @Test
    void whatAThreadKnows_isPassedOn() {
        store(0, 5);
        pass(0, 2);
        pass(2, 4);

        refused(4, 0);
    }

    @Test
    void letter_carriesWhatItsSenderKnows() {
        store(0, 5);
        timestamps.onSend(thread(0), LETTER);
        store(0, 6);
        timestamps.onReceived(thread(4), LETTER);

        load(4, 6);
        refused(4, 0);
    }

    @Test
    void barrier_carriesWhatAllKnow() {
        store(0, 5);
        timestamps.onArrive(thread(0), END, 2);
        timestamps.onArrive(thread(3), END, 2);
        timestamps.onDepart(thread(3), END);

        refused(3, 0);
        load(3, 5);
    }

    @Test
    void barrierOfOthers_saysNothing() {
        store(0, 5);
        timestamps.onArrive(thread(2), END, 2);
        timestamps.onArrive(thread(3), END, 2);
        timestamps.onDepart(thread(3), END);

        load(3, 0);
    }

    @Test
    void initialization_happensBeforeEverything() {
        store(0, 5);
        timestamps.onInitialized(thread(0));

        load(4, 5);
        refused(4, 0);
    }

    // data races

    @Test
    void storeAtTheSameTime_mayBeSeenOrNot() {
        store(0, 5);

        load(2, 0);
        load(2, 5);
    }

    @Test
    void valueThatNobodyStored_isFound() {
        store(0, 5);

        refused(2, 7);
    }

    @Test
    void olderValueBehindANewerOneOnTheSameNode_isFound() {
        store(0, 5);
        store(0, 6);
        load(2, 6);

        assertSays(refused(3, 5), "a later store was seen on the node");
        load(4, 5); // another node may be behind
    }

    @Test
    void valuesThatCouldBeOfTwoStores_decideNothing() {
        store(0, 5);
        store(0, 6);
        store(0, 5);
        load(2, 5); // the first or the last

        load(2, 6);
        load(2, 5); // the last
        refused(2, 6);
    }

    @Test
    void storesInConflict_mayBothBeSeenAfterABarrier() {
        store(0, 5);
        store(2, 6);
        release(0);
        acquire(4);
        release(2);
        acquire(4);

        load(4, 5);
        load(4, 6);
        load(4, 5);
        refused(4, 0);
    }

    /** Node 0 stores 7, flushes, and stores 9. Then the 5 of node 1 arrives, and the 9 remains. */
    @Test
    void storeInConflict_hidesWhatItsNodeStoredBefore() {
        store(2, 5);
        store(0, 7);
        release(0);
        store(0, 9);
        release(2);
        acquire(4);
        release(0);
        acquire(4);

        load(4, 9);
        load(4, 5);
        refused(4, 7);
        refused(4, 0);
    }

    @Test
    void storeBehindAConflict_hidesAllOfIt() {
        store(2, 5);
        store(0, 7);
        pass(0, 4);
        pass(2, 4);
        store(4, 8);
        pass(4, 0);

        refused(0, 7);
        refused(0, 5);
        load(0, 8);
    }

    /**
     * A store of the value that a copy already has may be in no diff, so that other nodes keep
     * another value.
     */
    @Test
    void storeOfAValueInConflict_hidesNothing() {
        store(2, 5);
        store(0, 7);
        pass(0, 4);
        pass(2, 4);
        store(4, 5);
        pass(4, 0);

        load(0, 7);
    }

    @Test
    void racingThreadsOfOneNode_hideWhatWasBefore() {
        store(0, 5);
        store(1, 6);
        pass(0, 2);
        pass(1, 2);

        load(2, 5);
        refused(2, 0);
    }

    @Test
    void valueThatIsTakenBack_isNotSeenByWhoAcquires() {
        store(0, 5);
        store(0, 0);
        pass(0, 2);

        load(2, 0);
        refused(2, 5);
    }

    // granules

    @Test
    void elementOfTwoGranules_mayBeTorn() {
        stores.onStore(thread(0), PAGE, AT, 8, 0x0000_0001_0000_0002L);

        checker.onLoad(thread(2), PAGE, AT, 8, 0x0000_0001_0000_0000L);
        checker.onLoad(thread(4), PAGE, AT, 8, 2);
        checker.onLoad(thread(4), PAGE, AT + 4, 4, 1);
    }

    @Test
    void negativeParts_areOfTheirWidth() {
        stores.onStore(thread(0), PAGE, AT, 8, -2);

        checker.onLoad(thread(0), PAGE, AT, 4, -2);
        checker.onLoad(thread(0), PAGE, AT + 4, 4, -1);
        assertThrows(Violation.class, () -> checker.onLoad(thread(0), PAGE, AT, 8, 0xFFFF_FFFEL));
    }

    @Test
    void otherProtocols_areNotLookedAt() {
        begin(CONVENTIONAL, 4);
        store(0, 5);

        load(0, 0);
    }

    // recorded stores

    @Test
    void storesThatEverybodyKnowsToBeOver_areForgotten() {
        for (int round = 1; round <= 100; round++) {
            store(round % 6, round);
            for (int i = 0; i < 6; i++) {
                timestamps.onArrive(thread(i), END, 6);
            }
            for (int i = 0; i < 6; i++) {
                timestamps.onDepart(thread(i), END);
            }
        }

        assertEquals(2, stores.page(PAGE).at(AT).stores().size());
        refused(0, 99);
        load(0, 100);
    }
}
