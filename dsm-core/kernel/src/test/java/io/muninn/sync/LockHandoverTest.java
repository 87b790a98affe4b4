package io.muninn.sync;

import static io.muninn.sync.TwoProcesses.NOTHING;
import static io.muninn.sync.TwoProcesses.seen;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.kernel.Counted;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.TimerId;
import io.muninn.spi.ViewMark;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.LockGrant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Locks that pass between two processes of the root, of which each has a view. */
class LockHandoverTest {
    private static final LockId LOCK = new LockId("queue");
    private static final MappingId FIRST = MappingId.FIRST;
    private static final MappingId SECOND = MappingId.of(1);
    private static final WaiterId OF_FIRST = new WaiterId(FIRST, 0);
    private static final WaiterId OF_SECOND = new WaiterId(SECOND, 1);

    private final Acts acts = new Acts();
    private final TwoProcesses views = new TwoProcesses();
    private final LockManager locks = manager(0);

    private LockManager manager(int self) {
        return new LockManager(
                NodeId.of(self), acts::begin, acts::acquire, acts.cargo, acts.pages, views);
    }

    private void acquire(LockManager manager, WaiterId... waiters) {
        Arrays.stream(waiters)
                .forEach(each ->
                        manager.onAcquireCalled(new Event.AcquireCalled(each, LOCK, -1), acts.out));
    }

    /** A thread of the first process holds the lock, and one of the second waits. */
    private void wantedBySecond() {
        acquire(locks, OF_FIRST, OF_SECOND);
        locks.onLockReclaimed(new Event.LockReclaimed(LOCK, false, MappingId.ALL), acts.out);
        acts.quietly();
    }

    private static Object[] given(WaiterId to) {
        return new Object[] {
            new Effect.LendLock(LOCK, true, false),
            new Effect.CancelTimer(new TimerId.WaitOver(to)),
            new Effect.ResumeWaiter(to, Outcome.DONE)
        };
    }

    @Test
    void lockOfAHolderThatHasSeenNoMore_isHandedOverAtOnce() {
        wantedBySecond();
        views.acquires(SECOND, 1);

        locks.onReleaseCalled(new Event.ReleaseCalled(FIRST, LOCK), acts.out);

        acts.expect(given(OF_SECOND));
    }

    @Test
    void lockOfAHolderThatHasSeenMore_isAcquiredBeforeItIsHandedOver() {
        wantedBySecond();
        views.acquires(FIRST, 1);

        locks.onReleaseCalled(new Event.ReleaseCalled(FIRST, LOCK), acts.out);

        acts.expect();
        GatedAcquire.Handover handover = new GatedAcquire.Handover(LOCK, SECOND);
        views.expectBegun(handover, seen(1));
        assertEquals("Acquiring", locks.stateOf(LOCK));
        views.acquires(SECOND, 1);
        locks.onAcquirePerformed(handover, acts.out);
        acts.expect(given(OF_SECOND));
    }

    @Test
    void handoverToAThreadThatWaitsNoMore_lendsTheLockWithItsMark() {
        wantedBySecond();
        views.acquires(FIRST, 1);
        locks.onReleaseCalled(new Event.ReleaseCalled(FIRST, LOCK), acts.out);
        locks.giveUp(LOCK, OF_SECOND, false, acts.out);
        acts.quietly();

        views.acquires(SECOND, 1);
        locks.onAcquirePerformed(new GatedAcquire.Handover(LOCK, SECOND), acts.out);

        acts.expect(
                new Effect.MarkLock(LOCK, new ViewMark(FIRST, 1)),
                new Effect.LendLock(LOCK, false, false));
    }

    @Test
    void reclaimedLock_isThatOfTheProcessThatHasHeldItInSharedMemory() {
        acquire(locks, OF_FIRST);
        views.acquires(SECOND, 1); // and holds the lock, without a call
        acquire(locks, OF_FIRST);
        acts.quietly();

        locks.onLockReclaimed(new Event.LockReclaimed(LOCK, true, SECOND), acts.out);

        acts.expect();
        views.expectBegun(new GatedAcquire.Handover(LOCK, FIRST), seen(1));
    }

    @Test
    void reclaimedLockThatNobodyHasTaken_keepsItsView() {
        acquire(locks, OF_FIRST);
        views.acquires(SECOND, 1);
        acquire(locks, OF_FIRST);
        acts.quietly();

        locks.onLockReclaimed(new Event.LockReclaimed(LOCK, true, MappingId.ALL), acts.out);

        acts.expect(given(OF_FIRST));
    }

    @Test
    void tokenThatArrives_hasTheViewOfAllProcesses() {
        LockManager away = manager(1);
        acquire(away, OF_SECOND);
        away.onLockGrant(new LockGrant(LOCK, Cargo.NONE), acts.out);
        views.acquires(FIRST, 3);
        acts.quietly();

        away.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Token.class), acts.out);

        acts.expect();
        views.expectBegun(new GatedAcquire.Handover(LOCK, SECOND), seen(3));
    }

    @Test
    void lockTakenInSharedMemory_isAcquiredUpToItsReleasersView() {
        views.acquires(FIRST, 1);
        WaiterId taker = OF_SECOND;

        locks.onLocalAcquireCalled(new Event.LocalAcquireCalled(taker, LOCK, FIRST), acts.out);

        acts.expect();
        GatedAcquire.Local local = new GatedAcquire.Local(taker);
        views.expectBegun(local, seen(1));
        locks.onAcquirePerformed(local, acts.out);
        acts.expect(new Effect.ResumeWaiter(taker, Outcome.DONE));
    }

    @Test
    void lockTakenAfterItWasLent_isAcquiredUpToItsMark() {
        acquire(locks, OF_FIRST);
        acts.expect(
                new Counted(NodeCounter.LOCK_CALLS, 1),
                given(OF_FIRST)[0],
                given(OF_FIRST)[1],
                given(OF_FIRST)[2]);
        views.acquires(FIRST, 5);

        locks.onLocalAcquireCalled(
                new Event.LocalAcquireCalled(OF_SECOND, LOCK, MappingId.ALL), acts.out);

        views.expectBegun(new GatedAcquire.Local(OF_SECOND), NOTHING);
    }
}
