package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loss of a node: all threads that wait or call later are notified. Nothing hangs. */
class NodeLossTest {
    private static final PageId PAGE = new PageId(0, 0);
    private static final LockId LOCK = new LockId("lock");
    private static final BarrierId BARRIER = new BarrierId("barrier");
    private static final Outcome LOST = new Outcome.Lost(0, "no heartbeat");

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void threadStoppedAtAPageOfTheLostNode_isPoisoned(Protocol protocol) {
        ManualCluster fixture = new ManualCluster(2, 2, ManualCluster.region(0, protocol, 2));
        fixture.hold(1, 0);
        fixture.thread(1, 0).load(PAGE, 0, _ -> {});
        fixture.settle();

        fixture.lose(0);
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isPoisoned());
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void loadAfterTheLoss_ofAPageThatIsNotHere_isPoisoned(Protocol protocol) {
        ManualCluster fixture = new ManualCluster(2, 1, ManualCluster.region(0, protocol, 1));
        fixture.lose(0);
        fixture.settle();

        fixture.thread(1, 0).load(PAGE, 0, _ -> {});
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isPoisoned());
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void pageHeldHere_isReadableAfterTheLoss(Protocol protocol) {
        ManualCluster fixture = new ManualCluster(2, 1, ManualCluster.region(0, protocol, 1));
        fixture.thread(0, 0).seal();
        fixture.settle();
        fixture.thread(1, 0).load(PAGE, 0, _ -> {});
        fixture.settle();

        fixture.lose(0);
        fixture.thread(1, 0).load(PAGE, 0, _ -> {});
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isDone());
    }

    @Test
    void upgradeAfterTheLoss_isPoisonedAndTheInvalidationThatWasHeldBackForgotten() {
        ManualCluster fixture =
                new ManualCluster(3, 1, ManualCluster.region(0, Protocol.CONVENTIONAL, 1));
        fixture.timersLate(3 * ManualCluster.HOLD_NANOS);
        fixture.thread(1, 0).load(PAGE, 0, _ -> {});
        fixture.settleNow();
        fixture.thread(2, 0).store(PAGE, 0, 1);
        fixture.settleNow(); // node 1 holds its copy for the hold time; node 2 waits
        assertEquals(PageAccess.READ, fixture.node(1).pages().access(PAGE));
        fixture.lose(0);
        fixture.settleNow();
        fixture.forgetSent();
        fixture.pass(2 * ManualCluster.HOLD_NANOS);

        fixture.thread(1, 0).store(PAGE, 0, 2);
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isPoisoned());
        assertTrue(fixture.thread(2, 0).isPoisoned());
        assertEquals(List.of(), fixture.sent());
    }

    @Test
    void everyWaiter_isToldWhichNodeIsLost() {
        ManualCluster fixture = new ManualCluster(2, 4);
        fixture.thread(0, 0).acquire(LOCK);
        fixture.settle();
        fixture.thread(1, 0).acquire(LOCK);
        fixture.thread(1, 1).await(BARRIER);
        fixture.thread(1, 2).receive(0, 1);
        fixture.hold(1, 0);
        for (int i = 0; i < 2; i++) {
            fixture.thread(1, 3).send(0, 1, new Bytes(new byte[3 << 20]));
        }
        fixture.settle();
        for (ManualThread thread : fixture.threads(1)) {
            assertTrue(thread.isWaiting(), thread::toString);
        }

        fixture.lose(0);
        fixture.settle();

        for (ManualThread thread : fixture.threads(1)) {
            assertEquals(LOST, thread.outcomes().getLast(), thread::toString);
        }
    }

    @Test
    void everyCallAfterTheLoss_isToldAtOnce() {
        ManualCluster fixture = new ManualCluster(2, 5);
        fixture.lose(0);
        fixture.settle();
        fixture.thread(1, 0).acquire(LOCK);
        fixture.thread(1, 1).await(BARRIER);
        fixture.thread(1, 2).receive(0, 1);
        fixture.thread(1, 3).send(1, 1, Bytes.EMPTY);
        fixture.thread(1, 4).seal();

        fixture.settle();

        for (ManualThread thread : fixture.threads(1)) {
            assertEquals(List.of(LOST), thread.outcomes(), thread::toString);
        }
    }

    @Test
    void releaseThatWaitedForAcknowledgements_neverLeaves() {
        ManualCluster fixture =
                new ManualCluster(3, 1, ManualCluster.region(0, Protocol.WRITE_SHARED, 1));
        fixture.thread(0, 0).load(PAGE, 0, _ -> {});
        fixture.settle();
        fixture.thread(1, 0).store(PAGE, 0, 1);
        fixture.settle();
        fixture.hold(1, 0);
        fixture.thread(1, 0).send(2, 1, Bytes.EMPTY);
        fixture.settle();

        fixture.lose(0);
        fixture.settle();

        assertEquals(LOST, fixture.thread(1, 0).outcomes().getLast());
        assertEquals(0, fixture.sent("letter"));
        assertFalse(fixture.thread(2, 0).isWaiting());
    }
}
