package io.muninn.sync;

import static io.muninn.sync.Acts.PAGES_PASSED;
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

import io.muninn.kernel.Counted;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.LockGrant;
import io.muninn.sync.SyncMessage.LockRequest;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every cell of the table of {@link LockManager}. Node 1 is under test, or the root, node 0, which
 * alone has the token initially; thread 0 is the holder of the lock in states with a holder.
 */
class LockManagerTest {
    private static final LockId LOCK = new LockId("queue");
    private static final Counted CALLED = new Counted(NodeCounter.LOCK_CALLS, 1);
    private static final Counted FORWARDED = new Counted(NodeCounter.FORWARDS, 1);
    private static final Counted PASSED = new Counted(NodeCounter.TOKENS_PASSED, 1);
    private static final Effect RECLAIM = new Effect.ReclaimLock(LOCK);
    private static final Effect LEND_FREE = new Effect.LendLock(LOCK, false, false);
    private static final Effect LEND_HELD = new Effect.LendLock(LOCK, true, false);
    private static final Effect LEND_WANTED = new Effect.LendLock(LOCK, true, true);
    private static final LockRequest OWN = request(1);
    private static final LockRequest OF_2 = request(2);
    private static final LockRequest OF_3 = request(3);
    private static final LockGrant GRANT = new LockGrant(LOCK, labelled("grant"));

    /** The states of the table, and the transitions of a lock into each. */
    private enum State {
        AWAY(1),
        ASKED(1) {
            @Override
            void prepare(Subject subject) {
                subject.acquire(1);
            }
        },
        ACQUIRING(1) {
            @Override
            void prepare(Subject subject) {
                ASKED.prepare(subject);
                subject.grant();
            }
        },
        KEPT(0),
        LENT(1) {
            @Override
            void prepare(Subject subject) {
                subject.acquire(0);
                subject.grant();
                subject.acquired();
            }
        },
        RECLAIMING(1) {
            @Override
            void prepare(Subject subject) {
                LENT.prepare(subject);
                subject.acquire(1);
            }
        },
        WANTED(1) {
            @Override
            void prepare(Subject subject) {
                RECLAIMING.prepare(subject);
                subject.reclaimed(false);
            }
        },
        PASSING(1) {
            @Override
            void prepare(Subject subject) {
                LENT.prepare(subject);
                subject.request(OF_2);
                subject.reclaimed(true);
            }
        };

        private final int self;

        State(int self) {
            this.self = self;
        }

        void prepare(Subject subject) {}

        Subject subject() {
            Subject subject = new Subject(self);
            prepare(subject);
            subject.acts.quietly();
            return subject;
        }
    }

    /** A lock manager, and its effects. */
    private static final class Subject {
        final Acts acts = new Acts();
        final LockManager locks;

        Subject(int self) {
            locks =
                    new LockManager(
                            NodeId.of(self),
                            acts::begin,
                            acts::acquire,
                            acts.cargo,
                            acts.pages,
                            new OneProcess());
        }

        void acquire(int thread) {
            acquire(thread, -1);
        }

        void acquire(int thread, long timeoutNanos) {
            locks.onAcquireCalled(
                    new Event.AcquireCalled(waiter(thread), LOCK, timeoutNanos), acts.out);
        }

        void release() {
            locks.onReleaseCalled(new Event.ReleaseCalled(MappingId.FIRST, LOCK), acts.out);
        }

        void reclaimed(boolean taken) {
            locks.onLockReclaimed(new Event.LockReclaimed(LOCK, taken), acts.out);
        }

        void request(LockRequest request) {
            locks.onLockRequest(request, acts.out);
        }

        void grant() {
            locks.onLockGrant(GRANT, acts.out);
        }

        void acquired() {
            locks.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Token.class), acts.out);
        }

        void performed(int to) {
            locks.onReleasePerformed(new GatedRelease.Token(LOCK, NodeId.of(to)), acts.out);
        }

        boolean giveUp(int thread) {
            return locks.giveUp(LOCK, waiter(thread), true, acts.out);
        }

        void expectPassingTo(int node) {
            acts.expectBegun(new GatedRelease.Token(LOCK, NodeId.of(node)));
        }
    }

    // AcquireCalled

    @Test
    void acquireWithTheTokenAway_asksTheHint() {
        Subject subject = State.AWAY.subject();

        subject.acquire(1);

        subject.acts.expect(CALLED, send(0, OWN));
    }

    @ParameterizedTest
    @EnumSource(names = {"ASKED", "ACQUIRING", "WANTED", "PASSING"})
    void acquireBehindOthers_waits(State state) {
        Subject subject = state.subject();

        subject.acquire(5);

        subject.acts.expect(CALLED);
    }

    @Test
    void acquireOfAKeptToken_lendsTheLockBeforeTheThreadRuns() {
        Subject subject = State.KEPT.subject();

        subject.acquire(1);

        subject.acts.expect(CALLED, LEND_HELD, disarm(1), done(1));
    }

    @Test
    void acquireOfALentLock_reclaimsIt() {
        Subject subject = State.LENT.subject();

        subject.acquire(1);

        subject.acts.expect(CALLED, RECLAIM);
    }

    @Test
    void acquireWithATimeLimit_armsItsTimer() {
        Subject subject = State.ASKED.subject();

        subject.acquire(5, 700);

        subject.acts.expect(CALLED, arm(5, 700));
    }

    @Test
    void acquireWhileReclaiming_isImpossible() {
        expectImpossible(
                State.RECLAIMING, subject -> subject.acquire(5), "RECLAIMING", "AcquireCalled");
    }

    // ReleaseCalled

    @Test
    void releaseWithALocalWaiter_handsTheLockToIt() {
        Subject subject = State.WANTED.subject();

        subject.release();

        subject.acts.expect(LEND_HELD, disarm(1), done(1));
    }

    @Test
    void releaseWithTwoLocalWaiters_leavesTheLockWanted() {
        Subject subject = State.WANTED.subject();
        subject.acquire(5);
        subject.acts.quietly();

        subject.release();

        subject.acts.expect(LEND_WANTED, disarm(1), done(1));
    }

    @Test
    void releaseWithAFollowerAlone_beginsToPassTheToken() {
        Subject subject = State.LENT.subject();
        subject.request(OF_2);
        subject.reclaimed(false);
        subject.acts.quietly();

        subject.release();

        subject.acts.expect();
        subject.expectPassingTo(2);
    }

    @Test
    void releaseAfterItsOnlyWaiterGaveUp_lendsTheLockFree() {
        Subject subject = State.WANTED.subject();
        subject.giveUp(1);
        subject.acts.quietly();

        subject.release();

        subject.acts.expect(LEND_FREE);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WANTED")
    void releaseOfALockThatNobodyWaitsFor_isImpossible(State state) {
        expectImpossible(state, Subject::release, state.name(), "ReleaseCalled");
    }

    // LockRequest

    @Test
    void requestWithTheTokenAway_isForwardedAndTheAskerIsTheNextHint() {
        Subject subject = State.AWAY.subject();

        subject.request(OF_2);
        subject.request(OF_3);

        subject.acts.expect(FORWARDED, send(0, OF_2), FORWARDED, send(2, OF_3));
    }

    @Test
    void requestWhilePassing_isForwardedToTheNodeThatGetsTheToken() {
        Subject subject = State.PASSING.subject();

        subject.request(OF_3);

        subject.acts.expect(FORWARDED, send(2, OF_3));
    }

    @ParameterizedTest
    @EnumSource(names = {"ASKED", "ACQUIRING", "WANTED"})
    void requestsBehindLocalWaiters_followTheFirstHereTheSecondBehindTheFirst(State state) {
        Subject subject = state.subject();

        subject.request(OF_2);
        subject.acts.expect();
        subject.request(OF_3);

        subject.acts.expect(FORWARDED, send(2, OF_3));
    }

    @Test
    void requestForAKeptToken_beginsToPassIt() {
        Subject subject = State.KEPT.subject();

        subject.request(OF_2);

        subject.acts.expect();
        subject.expectPassingTo(2);
    }

    @Test
    void requestForALentLock_reclaimsIt() {
        Subject subject = State.LENT.subject();

        subject.request(OF_2);

        subject.acts.expect(RECLAIM);
    }

    @Test
    void requestWhileReclaiming_isImpossible() {
        expectImpossible(
                State.RECLAIMING, subject -> subject.request(OF_2), "RECLAIMING", "LockRequest");
    }

    @ParameterizedTest
    @EnumSource
    void ownRequestComingBack_isImpossible(State state) {
        expectImpossible(
                state,
                subject -> subject.request(request(state.self)),
                state.name(),
                "LockRequest");
    }

    // LockGrant

    @Test
    void grantWithALocalWaiter_unloadsItsCargoAndHandsTheLockOn() {
        Subject subject = State.ASKED.subject();

        subject.grant();
        subject.acquired();

        subject.acts.expect(LEND_HELD, disarm(1), done(1));
        assertEquals(List.of("grant"), subject.acts.cargo.unloaded);
    }

    @Test
    void grantAfterTheWaiterGaveUp_passesTheTokenToTheFollower() {
        Subject subject = State.ASKED.subject();
        subject.request(OF_2);
        subject.giveUp(1);
        subject.acts.quietly();

        subject.grant();
        subject.acquired();

        subject.acts.expect();
        subject.expectPassingTo(2);
    }

    @Test
    void grantThatNobodyWantsAnyMore_lendsTheLockFree() {
        Subject subject = State.ASKED.subject();
        subject.giveUp(1);
        subject.acts.quietly();

        subject.grant();
        subject.acquired();

        subject.acts.expect(LEND_FREE);
    }

    @Test
    void grant_isNotHandedOnBeforeItIsAcquired() {
        Subject subject = State.ASKED.subject();
        subject.request(OF_2);
        subject.acts.quietly();

        subject.grant();

        subject.acts.expect();
        subject.acts.expectBegun();
    }

    @Test
    void lastWaiterGivesUpBeforeTheAcquireIsPerformed_theTokenIsPassedOn() {
        Subject subject = State.ACQUIRING.subject();
        subject.request(OF_2);
        subject.giveUp(1);
        subject.acts.quietly();

        subject.acquired();

        subject.acts.expect();
        subject.expectPassingTo(2);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ACQUIRING")
    void acquirePerformedInOtherStates_isImpossible(State state) {
        expectImpossible(
                state,
                subject ->
                        subject.locks.onAcquirePerformed(
                                new GatedAcquire.Token(LOCK), subject.acts.out),
                state.name(),
                "Token");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ASKED")
    void grantThatNobodyAskedFor_isImpossible(State state) {
        expectImpossible(state, Subject::grant, state.name(), "LockGrant");
    }

    // LockReclaimed

    @Test
    void lockTakenBackForAWaiter_isLentToIt() {
        Subject subject = State.RECLAIMING.subject();

        subject.reclaimed(true);

        subject.acts.expect(LEND_HELD, disarm(1), done(1));
    }

    @Test
    void lockTakenBackForAFollower_isPassed() {
        Subject subject = State.LENT.subject();
        subject.request(OF_2);
        subject.acts.quietly();

        subject.reclaimed(true);

        subject.acts.expect();
        subject.expectPassingTo(2);
    }

    @Test
    void lockStillHeld_isWantedAndItsReleaseCalls() {
        Subject subject = State.RECLAIMING.subject();

        subject.reclaimed(false);
        subject.acts.expect();
        subject.release();

        subject.acts.expect(LEND_HELD, disarm(1), done(1));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RECLAIMING")
    void answerToNoReclaim_isImpossible(State state) {
        expectImpossible(state, subject -> subject.reclaimed(true), state.name(), "LockReclaimed");
    }

    // release performed

    @Test
    void releasePerformed_sendsTheTokenWithItsCargo() {
        Subject subject = State.PASSING.subject();

        subject.performed(2);

        subject.acts.expect(
                PASSED, send(2, new LockGrant(LOCK, labelled("grant for the request of 2"))));
    }

    @Test
    void releasePerformedWithLocalWaiters_asksForTheTokenAgain() {
        Subject subject = State.PASSING.subject();
        subject.acquire(5);
        subject.request(OF_3);
        subject.acts.quietly();

        subject.performed(2);

        subject.acts.expect(
                PASSED,
                send(2, new LockGrant(LOCK, labelled("grant for the request of 2"))),
                send(3, OWN));
    }

    @Test
    void pagesOfTheSection_goAheadOfTheToken() {
        Subject subject = State.PASSING.subject();
        subject.acts.showPages();

        subject.performed(2);

        Cargo grant = labelled("grant for the request of 2").with(Cargo.SECTION_CODE, Acts.SECTION);
        subject.acts.expect(PASSED, PAGES_PASSED, send(2, new LockGrant(LOCK, grant)));
    }

    @Test
    void whatAGrantSaysOfPages_isHandedOn() {
        Subject subject = State.ASKED.subject();
        Cargo cargo = GRANT.cargo().with(Cargo.SECTION_CODE, Acts.SECTION);

        subject.locks.onLockGrant(new LockGrant(LOCK, cargo), subject.acts.out);

        assertEquals(List.of(Acts.SECTION), subject.acts.granted);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PASSING")
    void releaseThatNobodyBegan_isImpossible(State state) {
        expectImpossible(state, subject -> subject.performed(2), state.name(), "Token");
    }

    // giving up

    @ParameterizedTest
    @EnumSource(names = {"ASKED", "ACQUIRING", "WANTED", "PASSING"})
    void waiterThatGivesUp_leavesTheQueueAndIsToldWhereTheTokenIs(State state) {
        Subject subject = state.subject();
        subject.acquire(5);
        subject.acts.quietly();
        String where =
                switch (state) {
                    case ASKED -> "its token is on another node, last heard of at node 0";
                    case ACQUIRING -> "its token has just arrived at node 1";
                    case WANTED -> "a thread of node 1 holds it";
                    default -> "its token is on its way from node 1";
                };

        assertTrue(subject.giveUp(5));

        subject.acts.expect(disarm(5), answer(5, new Outcome.TimedOut("lock 'queue': " + where)));
    }

    @Test
    void interruptedWaiter_isCancelled() {
        Subject subject = State.ASKED.subject();

        assertTrue(subject.locks.giveUp(LOCK, waiter(1), false, subject.acts.out));

        subject.acts.expect(disarm(1), answer(1, Outcome.CANCELLED));
    }

    @ParameterizedTest
    @EnumSource
    void givingUpWhatOneDoesNotWaitFor_isIgnored(State state) {
        Subject subject = state.subject();

        assertFalse(subject.giveUp(9));

        subject.acts.expect();
    }

    // bounds

    @Test
    void localHandOversWithAFollowerWaiting_areBounded() {
        Subject subject = State.WANTED.subject();
        for (int i = 2; i < LockManager.LOCAL_HANDOVERS_MAX + 5; i++) {
            subject.acquire(i);
        }
        subject.request(OF_2);
        subject.acts.quietly();

        for (int i = 0; i < LockManager.LOCAL_HANDOVERS_MAX; i++) {
            subject.release();
            subject.acts.expect(LEND_WANTED, disarm(i + 1), done(i + 1));
        }
        subject.release();

        subject.acts.expect();
        subject.expectPassingTo(2);
    }

    private static void expectImpossible(
            State state, Consumer<Subject> act, String text, String event) {
        Subject subject = state.subject();
        subject.acts.expectViolation(
                () -> act.accept(subject), "lock=queue", "state=" + text, "event=" + event);
    }

    private static LockRequest request(int asker) {
        return new LockRequest(LOCK, NodeId.of(asker), labelled("request"));
    }
}
