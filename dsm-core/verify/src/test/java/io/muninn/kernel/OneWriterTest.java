package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages with one writer at a time, conventional and migratory, on several nodes. */
class OneWriterTest {
    private static final PageId PAGE = new PageId(0, 0);

    @Test
    void imageOvertakenByAnInvalidation_isDeadOnArrivalAndAskedForAgain() {
        ManualCluster fixture = cluster(3, Protocol.CONVENTIONAL);
        List<Long> seen = new ArrayList<>();
        fixture.hold(0, 2);
        fixture.thread(2, 0).load(PAGE, 0, seen::add);
        fixture.settle();
        fixture.thread(1, 0).store(PAGE, 0, 5);
        fixture.settle();
        assertEquals(PageAccess.READ_WRITE, fixture.node(1).pages().access(PAGE));
        assertEquals(1, fixture.waiting(0, 2), "the image is still on its way");

        fixture.free(0, 2);
        fixture.settle();

        assertEquals(List.of(5L), seen);
        assertEquals(1, fixture.count(NodeCounter.DEAD_IMAGES));
    }

    @Test
    void upgradesOfTwoHoldersAtOnce_bothSucceedOneAfterTheOther() {
        ManualCluster fixture = cluster(3, Protocol.CONVENTIONAL);
        fixture.thread(1, 0).load(PAGE, 0, _ -> {});
        fixture.thread(2, 0).load(PAGE, 0, _ -> {});
        fixture.settle();
        fixture.hold(1, 0);
        fixture.hold(2, 0);
        fixture.thread(1, 0).store(PAGE, 0, 11);
        fixture.thread(2, 0).store(PAGE, 1, 22);
        fixture.settle();
        fixture.free(1, 0);
        fixture.free(2, 0);

        fixture.settle();

        assertTrue(fixture.thread(1, 0).isDone());
        assertTrue(fixture.thread(2, 0).isDone());
        assertEquals(11, fixture.held(2, PAGE, 0));
        assertEquals(22, fixture.held(2, PAGE, 1));
        assertEquals(PageAccess.READ_WRITE, fixture.node(2).pages().access(PAGE));
    }

    @Test
    void upgradeOfAHolder_carriesNoBytes() {
        ManualCluster fixture = cluster(2, Protocol.CONVENTIONAL);
        fixture.thread(1, 0).load(PAGE, 0, _ -> {});
        fixture.settle();

        fixture.thread(1, 0).store(PAGE, 0, 1);
        fixture.settle();

        assertEquals(1, fixture.count(NodeCounter.PAGES_SENT), "the copy for the load alone");
        assertEquals(1, fixture.count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void readOfAPageAtTheEndOfAChainOfThree_isForwardedToItsOwner() {
        ManualCluster fixture = cluster(5, Protocol.CONVENTIONAL);
        for (int i = 1; i <= 3; i++) {
            fixture.thread(i, 0).load(PAGE, 0, _ -> {}).store(PAGE, 0, i);
            fixture.settle();
        }
        long before = fixture.count(NodeCounter.FORWARDS);
        List<Long> seen = new ArrayList<>();

        fixture.thread(4, 0).load(PAGE, 0, seen::add);
        fixture.settle();

        assertEquals(List.of(3L), seen);
        assertEquals(3, fixture.count(NodeCounter.FORWARDS) - before, "0, then 1, then 2");
    }

    @Test
    void writeThroughAChain_shortensIt() {
        ManualCluster fixture = cluster(5, Protocol.CONVENTIONAL);
        for (int i = 1; i <= 3; i++) {
            fixture.thread(i, 0).load(PAGE, 0, _ -> {}).store(PAGE, 0, i);
            fixture.settle();
        }
        fixture.thread(4, 0).store(PAGE, 0, 4);
        fixture.settle();
        long before = fixture.count(NodeCounter.FORWARDS);

        fixture.thread(0, 0).store(PAGE, 0, 9);
        fixture.settle();

        assertEquals(0, fixture.count(NodeCounter.FORWARDS) - before);
        assertEquals(9, fixture.held(0, PAGE, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "PIPELINED"})
    void pageJustObtained_isNotSurrenderedWithinTheHoldTime(Protocol protocol) {
        ManualCluster fixture = cluster(3, protocol);
        fixture.thread(1, 0).store(PAGE, 0, 1);
        fixture.settleNow();
        fixture.thread(2, 0).store(PAGE, 1, 2);
        fixture.settleNow();

        assertFalse(fixture.thread(2, 0).isDone());
        assertEquals(PageAccess.READ_WRITE, fixture.node(1).pages().access(PAGE));
        fixture.thread(1, 0).store(PAGE, 2, 3); // it still can, without a fault
        fixture.settle();
        assertTrue(fixture.thread(2, 0).isDone());
        assertEquals(3, fixture.held(2, PAGE, 2));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "PIPELINED"})
    void requestBetweenTheHoldTimesEndAndALateTimer_waitsBehindTheDeferred(Protocol protocol) {
        ManualCluster fixture = cluster(4, protocol);
        fixture.thread(3, 0).store(PAGE, 0, 1);
        fixture.settle();
        fixture.thread(1, 0).store(PAGE, 0, 1);
        fixture.settle(); // node 3 knows that node 1 has the page
        fixture.timersLate(2 * ManualCluster.HOLD_NANOS);
        fixture.thread(2, 0).store(PAGE, 1, 2);
        fixture.settleNow(); // deferred by node 1
        fixture.hold(3, 1);
        fixture.thread(3, 0).store(PAGE, 2, 3);
        fixture.settleNow();
        fixture.pass(2 * ManualCluster.HOLD_NANOS); // and the timer has not fired
        fixture.deliver(3, 1);

        fixture.settle();

        assertTrue(fixture.thread(2, 0).isDone());
        assertTrue(fixture.thread(3, 0).isDone());
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "PIPELINED"})
    void manyNodesStoringToOnePage_allMakeProgress(Protocol protocol) {
        int nodes = 6;
        int stores = 50;
        ManualCluster fixture = cluster(nodes, protocol);
        for (int i = 0; i < nodes; i++) {
            for (int j = 1; j <= stores; j++) {
                fixture.thread(i, 0).store(PAGE, i, j);
            }
        }

        fixture.settle();

        for (int i = 0; i < nodes; i++) {
            int node = i;
            List<Long> seen = new ArrayList<>();
            fixture.thread(0, 0).load(PAGE, node, seen::add);
            fixture.settle();
            assertEquals(List.of((long) stores), seen, "node " + node);
        }
    }

    @Test
    void loadsOfAMigratoryPage_moveItAndLeaveNoCopyBehind() {
        ManualCluster fixture = cluster(3, Protocol.MIGRATORY);
        fixture.thread(0, 0).store(PAGE, 0, 4);
        fixture.settle();

        for (int i = 1; i < 3; i++) {
            fixture.thread(i, 0).load(PAGE, 0, _ -> {});
            fixture.settle();
        }

        assertFalse(fixture.node(0).pages().isPresent(PAGE));
        assertFalse(fixture.node(1).pages().isPresent(PAGE));
        assertEquals(4, fixture.held(2, PAGE, 0));
        assertEquals(PageAccess.READ_WRITE, fixture.node(2).pages().access(PAGE));
    }

    @Test
    void readOnlyPage_isReplicatedOnDemandAndNeverChanges() {
        ManualCluster fixture = cluster(3, Protocol.READ_ONLY);
        fixture.thread(0, 0).store(PAGE, 0, 4).seal();
        fixture.settle();
        for (int i = 1; i < 3; i++) {
            fixture.thread(i, 0).load(PAGE, 0, _ -> {});
        }
        fixture.settle();

        fixture.thread(1, 0).store(PAGE, 0, 5);
        fixture.settle();

        assertEquals(4, fixture.held(2, PAGE, 0));
        assertEquals(
                List.of(
                        "node 1: store to READ_ONLY variable 'region0' after initialization,"
                                + " in page 0/0 of node 1"),
                fixture.failures());
    }

    private static ManualCluster cluster(int nodes, Protocol protocol) {
        return new ManualCluster(nodes, 1, ManualCluster.region(0, protocol, 1));
    }
}
