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

import io.muninn.kernel.Counted;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ViewMark;
import io.muninn.spi.WaiterId;
import io.muninn.sync.ReadWriteMessage.ReadWriteCancel;
import io.muninn.sync.ReadWriteMessage.ReadWriteGrant;
import io.muninn.sync.ReadWriteMessage.ReadWriteRecall;
import io.muninn.sync.ReadWriteMessage.ReadWriteRequest;
import io.muninn.sync.ReadWriteMessage.ReadWriteReturn;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The cells of the table of {@link ReadWriteLocks}. Node 1 of 4 is under test, the manager is node
 * 3; threads from 10 on write, and thread 1 or 10 is inside in states with somebody inside.
 */
class ReadWriteLocksTest {
    private static final ReadWriteLockId LOCK = new ReadWriteLockId("b");
    private static final int MANAGER = LOCK.manager(4).index();
    private static final Counted CALLED = new Counted(NodeCounter.LOCK_CALLS, 1);
    private static final Effect CLOSE = new Effect.CloseReaders(LOCK);

    /** The states of the table, and the transitions of a lock into each. */
    private enum State {
        AWAY,
        ASKED {
            @Override
            void prepare(Subject subject) {
                subject.call(1);
            }
        },
        ACQUIRING {
            @Override
            void prepare(Subject subject) {
                ASKED.prepare(subject);
                subject.grant(1, false);
            }
        },
        READING {
            @Override
            void prepare(Subject subject) {
                ACQUIRING.prepare(subject);
                subject.acquired();
            }
        },
        /** Its own writer, thread 10, waits with request 2. */
        CLOSED {
            @Override
            void prepare(Subject subject) {
                READING.prepare(subject);
                subject.call(10);
                subject.closed(1);
            }
        },
        RECALLED {
            @Override
            void prepare(Subject subject) {
                READING.prepare(subject);
                subject.recall(1);
                subject.closed(1);
            }
        },
        CLOSING {
            @Override
            void prepare(Subject subject) {
                READING.prepare(subject);
                subject.recall(1);
            }
        },
        WRITING {
            @Override
            void prepare(Subject subject) {
                subject.call(10);
                subject.grant(1, true);
                subject.acquired();
            }
        },
        RETURNING {
            @Override
            void prepare(Subject subject) {
                WRITING.prepare(subject);
                subject.release(false);
            }
        };

        void prepare(Subject subject) {}

        Subject subject() {
            Subject subject = new Subject(new OneProcess());
            prepare(subject);
            subject.acts.quietly();
            return subject;
        }
    }

    /** The part under test, and its effects. */
    private static final class Subject {
        final Acts acts = new Acts();
        final ReadWriteLocks locks;

        Subject(ProcessViews views) {
            this(views, false);
        }

        Subject(ProcessViews views, boolean ordersLoads) {
            locks =
                    new ReadWriteLocks(
                            NodeId.of(1),
                            4,
                            acts::begin,
                            acts::acquire,
                            acts.cargo,
                            views,
                            ordersLoads);
        }

        void call(int thread) {
            call(waiter(thread), thread >= 10, -1);
        }

        void call(WaiterId waiter, boolean toWrite, long limitNanos) {
            locks.onPermissionCalled(
                    new Event.PermissionCalled(waiter, LOCK, toWrite, limitNanos), acts.out);
        }

        void grant(long number, boolean toWrite) {
            locks.onGrant(new ReadWriteGrant(LOCK, number, toWrite, labelled("grant")), acts.out);
        }

        void recall(long number) {
            locks.onRecall(new ReadWriteRecall(LOCK, number), acts.out);
        }

        void acquired() {
            locks.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Permission.class), acts.out);
        }

        void closed(int readers) {
            locks.onReadersClosed(new Event.ReadersClosed(LOCK, readers), acts.out);
        }

        void left() {
            locks.onReadersLeft(new Event.ReadersLeft(LOCK), acts.out);
        }

        void release(boolean keepsReading) {
            locks.onWriteReleased(
                    new Event.WriteReleased(MappingId.FIRST, LOCK, keepsReading), acts.out);
        }

        void performed() {
            locks.onReleasePerformed(new GatedRelease.Permission(LOCK), acts.out);
        }

        boolean giveUp(int thread) {
            return locks.giveUp(LOCK, waiter(thread), true, acts.out);
        }

        String state() {
            return locks.stateOf(LOCK);
        }
    }

    private static Effect ask(long number, boolean toWrite) {
        return send(MANAGER, new ReadWriteRequest(LOCK, number, toWrite));
    }

    private static Effect cancel(long number) {
        return send(MANAGER, new ReadWriteCancel(LOCK, number));
    }

    private static Effect giveBack(long number) {
        return send(MANAGER, new ReadWriteReturn(LOCK, number, false, Cargo.NONE));
    }

    private static Effect admit(int count, boolean isOpen) {
        return new Effect.AdmitReaders(LOCK, count, isOpen, ViewMark.NOTHING);
    }

    @Test
    void everyStateHasItsName() {
        for (State state : State.values()) {
            String name = state.name();
            assertEquals(
                    name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT),
                    state.subject().state());
        }
    }

    // PermissionCalled

    @Test
    void firstCall_asksForItsMode() {
        Subject reader = State.AWAY.subject();
        reader.call(1);
        reader.acts.expect(CALLED, ask(1, false));

        Subject writer = State.AWAY.subject();
        writer.call(waiter(10), true, 700);
        writer.acts.expect(CALLED, arm(10, 700), ask(1, true));
    }

    @ParameterizedTest
    @EnumSource(names = {"ASKED", "ACQUIRING", "CLOSED"})
    void callBehindOthers_waits(State state) {
        Subject subject = state.subject();
        subject.call(5);
        subject.acts.expect(CALLED);
    }

    @ParameterizedTest
    @EnumSource(names = {"RECALLED", "WRITING", "RETURNING"})
    void callThatTheNodeCannotServe_asksAhead(State state) {
        Subject subject = state.subject();
        subject.call(5);
        subject.acts.expect(CALLED, ask(2, false));
        assertEquals(2, subject.locks.askedNumber(LOCK));
    }

    @Test
    void readerThatCallsWhileReading_isAdmitted() {
        Subject subject = State.READING.subject();
        subject.call(5);
        subject.acts.expect(CALLED, admit(1, true), disarm(5), done(5));
    }

    @Test
    void writerOfAReadingNode_closesTheWordAndAsks() {
        Subject subject = State.READING.subject();
        subject.call(10);
        subject.acts.expect(CALLED, CLOSE);

        subject.closed(1);

        subject.acts.expect(ask(2, true));
        assertEquals("Closed", subject.state());
    }

    @Test
    void callWhileClosing_isImpossible() {
        Subject subject = State.CLOSING.subject();
        subject.acts.expectViolation(() -> subject.call(5), "CLOSING", "PermissionCalled");
    }

    // ReadWriteGrant, and its acquire

    @Test
    void grantToReaders_admitsThemWhenTheAcquireIsPerformed() {
        Subject subject = State.ASKED.subject();
        subject.call(2);
        subject.acts.quietly();
        subject.grant(1, false);
        subject.acts.expect();
        assertEquals(List.of("grant"), subject.acts.cargo.unloaded);

        subject.acquired();

        subject.acts.expect(admit(2, true), disarm(1), done(1), disarm(2), done(2));
        assertEquals("Reading", subject.state());
    }

    @Test
    void grantToReadersBeforeAWriter_leavesTheWordClosed() {
        Subject subject = State.ACQUIRING.subject();
        subject.call(10);
        subject.call(2);
        subject.acts.quietly();

        subject.acquired();

        subject.acts.expect(admit(1, false), disarm(1), done(1), ask(2, true));
        assertEquals("Closed", subject.state());
    }

    @Test
    void recallBeforeTheAcquire_admitsReadersOnceAndKeepsTheWordClosed() {
        Subject subject = State.ACQUIRING.subject();
        subject.recall(1);
        subject.acts.expect();

        subject.acquired();

        subject.acts.expect(admit(1, false), disarm(1), done(1));
        assertEquals("Recalled", subject.state());
    }

    @Test
    void grantToAWriter_letsItIn() {
        Subject subject = State.AWAY.subject();
        subject.call(10);
        subject.call(1);
        subject.grant(1, true);
        subject.acts.quietly();

        subject.acquired();

        subject.acts.expect(disarm(10), done(10), ask(2, false));
        assertEquals("Writing", subject.state());
    }

    @Test
    void grantToAWriterThatHasGivenUpMeanwhile_isReturnedWithoutAFlush() {
        Subject subject = State.AWAY.subject();
        subject.call(10);
        subject.grant(1, true);
        assertTrue(subject.giveUp(10));
        subject.acts.quietly();

        subject.acquired();

        subject.acts.expect(giveBack(1));
        subject.acts.expectBegun();
        assertEquals("Away", subject.state());
    }

    @Test
    void grantToReadersThatHaveGivenUpMeanwhile_staysOnTheNode() {
        Subject subject = State.ACQUIRING.subject();
        subject.giveUp(1);
        subject.acts.quietly();

        subject.acquired();

        subject.acts.expect(admit(0, true));
        assertEquals("Reading", subject.state());
    }

    @Test
    void grantOfACancelledRequest_isReturned() {
        Subject subject = State.ASKED.subject();
        subject.giveUp(1);
        subject.acts.expect(disarm(1), answer(1, timedOutAway()), cancel(1));
        assertEquals("Away", subject.state());
        subject.grant(1, false);
        subject.acts.expect(giveBack(1));

        subject.call(10);
        subject.acts.quietly();
        subject.grant(1, false);
        subject.acts.expect(giveBack(1));
        assertEquals("Asked", subject.state());
    }

    private static Outcome timedOutAway() {
        return new Outcome.TimedOut(
                "reader-writer lock 'b': other nodes have it, which node " + MANAGER + " manages");
    }

    @Test
    void grantToARecalledNode_renewsThePermission() {
        Subject subject = State.RECALLED.subject();
        subject.call(5);
        subject.acts.quietly();

        subject.grant(2, false);

        subject.acts.expect(admit(1, true), disarm(5), done(5));
        subject.recall(1);
        assertEquals("Reading", subject.state());
        subject.recall(2);
        subject.acts.expect(CLOSE);
    }

    @ParameterizedTest
    @EnumSource(names = {"READING", "CLOSED"})
    void grantToANodeThatReads_changesItsNumber(State state) {
        Subject subject = state.subject();
        subject.grant(7, false);
        subject.acts.expect();
        assertEquals(state, State.valueOf(subject.state().toUpperCase(Locale.ROOT)));
        subject.acts.expectViolation(() -> subject.grant(8, true), "number=8");
    }

    @ParameterizedTest
    @EnumSource(names = {"ACQUIRING", "CLOSING", "WRITING", "RETURNING"})
    void grantToANodeThatDoesNotWaitForOne_isImpossible(State state) {
        Subject subject = state.subject();
        subject.acts.expectViolation(() -> subject.grant(2, false), state.name());
    }

    // ReadWriteRecall

    @Test
    void recall_closesTheWord() {
        Subject subject = State.READING.subject();
        subject.recall(1);
        subject.acts.expect(CLOSE);

        subject.closed(2);

        subject.acts.expect();
        assertEquals("Recalled", subject.state());
    }

    @Test
    void recallOfAnUnusedPermission_returnsIt() {
        Subject subject = State.CLOSING.subject();
        subject.closed(0);
        subject.acts.expect(giveBack(1));
        subject.acts.expectBegun();
        assertEquals("Away", subject.state());
    }

    @Test
    void recallOfAClosedLock_onlyChangesItsState() {
        Subject subject = State.CLOSED.subject();
        subject.recall(1);
        subject.acts.expect();
        assertEquals("Recalled", subject.state());
    }

    @ParameterizedTest
    @EnumSource
    void recallOfAnEarlierPermission_isIgnored(State state) {
        Subject subject = state.subject();
        subject.recall(99);
        subject.acts.expect();
        assertEquals(state, State.valueOf(subject.state().toUpperCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @EnumSource(names = {"RECALLED", "WRITING", "RETURNING"})
    void recallOfAPermissionToWrite_orAnother_isImpossible(State state) {
        Subject subject = state.subject();
        subject.acts.expectViolation(() -> subject.recall(1), state.name(), "Recall");
    }

    // ReadersLeft and ReadersClosed

    @ParameterizedTest
    @EnumSource(names = {"CLOSED", "RECALLED"})
    void lastReaderThatLeaves_hasTheWordInspected(State state) {
        Subject subject = state.subject();
        subject.left();
        subject.acts.expect(CLOSE);
    }

    @ParameterizedTest
    @EnumSource(names = {"AWAY", "ASKED", "ACQUIRING", "READING", "WRITING", "RETURNING"})
    void readersThatLeftAnEarlierPermission_areIgnored(State state) {
        Subject subject = state.subject();
        subject.left();
        subject.acts.expect();
    }

    @Test
    void wordWithoutReaders_returnsThePermission_andTheRequestStands() {
        Subject subject = State.CLOSED.subject();
        subject.left();
        subject.acts.quietly();

        subject.closed(0);

        subject.acts.expect(giveBack(1));
        assertEquals("Asked", subject.state());
    }

    @Test
    void wordWithReadersAfterAHint_staysClosed() {
        Subject subject = State.CLOSED.subject();
        subject.left();
        subject.acts.quietly();

        subject.closed(1);

        subject.acts.expect();
        assertEquals("Closed", subject.state());
        subject.acts.expectViolation(() -> subject.closed(0), "CLOSED", "ReadersClosed");
    }

    // WriteReleased and its release

    @Test
    void writersRelease_returnsThePermissionWithCargoAfterTheFlush() {
        Subject subject = State.WRITING.subject();
        subject.release(false);
        subject.acts.expect();
        subject.acts.expectBegun(new GatedRelease.Permission(LOCK));

        subject.performed();

        subject.acts.expect(
                send(
                        MANAGER,
                        new ReadWriteReturn(LOCK, 1, false, labelled("cargo for " + MANAGER))));
        assertEquals("Away", subject.state());
    }

    @Test
    void downgrade_returnsAfterTheFlushAndOpensTheWord() {
        Subject subject = State.WRITING.subject();
        subject.call(5);
        subject.release(true);
        subject.acts.quietly();

        subject.performed();

        subject.acts.expect(
                send(MANAGER, new ReadWriteReturn(LOCK, 1, true, labelled("cargo for " + MANAGER))),
                admit(1, true),
                disarm(5),
                done(5),
                cancel(2));
        assertEquals("Reading", subject.state());
    }

    @Test
    void downgradeBeforeAWaitingWriter_inspectsTheWord() {
        Subject subject = State.WRITING.subject();
        subject.call(11);
        subject.release(true);
        subject.acts.quietly();

        subject.performed();

        assertEquals(CLOSE, subject.acts.out.take().getLast());
        subject.closed(0);
        subject.acts.expect(giveBack(1));
        assertEquals("Asked", subject.state());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WRITING")
    void writersReleaseWithoutAWriter_isImpossible(State state) {
        Subject subject = state.subject();
        subject.acts.expectViolation(() -> subject.release(false), "WriteReleased", state.name());
        if (state != State.RETURNING) {
            subject.acts.expectViolation(subject::performed, "Permission");
        }
        if (state != State.ACQUIRING) {
            subject.acts.expectViolation(
                    () ->
                            subject.locks.onAcquirePerformed(
                                    new GatedAcquire.Permission(LOCK), subject.acts.out),
                    "Permission");
        }
    }

    // waits that end

    @Test
    void writerThatGivesUp_opensTheLockForReaders() {
        Subject subject = State.CLOSED.subject();
        subject.call(5);
        subject.acts.quietly();

        assertTrue(subject.giveUp(10));

        assertEquals(
                List.of(admit(1, true), disarm(5), done(5), cancel(2)),
                subject.acts.out.take().subList(2, 6));
        assertEquals("Reading", subject.state());
    }

    @Test
    void headThatGivesUp_cancelsItsRequestAndAsksForTheNext() {
        Subject subject = State.ASKED.subject();
        subject.call(10);
        subject.acts.quietly();

        assertTrue(subject.giveUp(1));

        assertEquals(List.of(cancel(1), ask(2, true)), subject.acts.out.take().subList(2, 4));
    }

    @Test
    void headThatGivesUpBeforeAnotherOfItsMode_keepsTheRequest() {
        Subject subject = State.ASKED.subject();
        subject.call(2);
        subject.acts.quietly();

        assertTrue(subject.locks.giveUp(LOCK, waiter(1), false, subject.acts.out));

        subject.acts.expect(disarm(1), answer(1, Outcome.CANCELLED));
    }

    @ParameterizedTest
    @EnumSource(names = {"RECALLED", "WRITING", "RETURNING"})
    void waiterThatGivesUp_cancelsWhatWasAskedAhead(State state) {
        Subject subject = state.subject();
        subject.call(5);
        subject.acts.quietly();

        assertTrue(subject.giveUp(5));

        assertEquals(cancel(2), subject.acts.out.take().getLast());
        assertEquals(0, subject.locks.waiters(LOCK));
    }

    @ParameterizedTest
    @EnumSource
    void threadThatDoesNotWait_isIgnored(State state) {
        Subject subject = state.subject();
        assertFalse(subject.giveUp(77));
        subject.acts.expect();
    }

    // several processes

    @Test
    void processThatHasSeenLess_acquiresWithinTheNode() {
        TwoProcesses views = new TwoProcesses();
        Subject subject = new Subject(views);
        MappingId second = MappingId.of(1);
        WaiterId reader = new WaiterId(second, 3);
        subject.call(1);
        subject.call(reader, false, -1);
        subject.grant(1, false);
        views.acquires(MappingId.FIRST, 8);
        subject.acts.quietly();

        subject.acquired();

        ViewMark mark = new ViewMark(MappingId.ALL, 8);
        subject.acts.expect(new Effect.AdmitReaders(LOCK, 2, true, mark), disarm(1), done(1));
        GatedAcquire.Entry entry = new GatedAcquire.Entry(reader);
        views.expectBegun(entry, TwoProcesses.seen(8));

        subject.locks.onAcquirePerformed(entry, subject.acts.out);
        assertEquals(
                new Effect.ResumeWaiter(reader, Outcome.DONE), subject.acts.out.take().getLast());

        subject.locks.onLocalReadCalled(new Event.LocalReadCalled(reader, LOCK), subject.acts.out);
        views.expectBegun(entry, TwoProcesses.seen(8));
    }

    @Test
    void downgradeOfAProcess_marksTheLockWithItsView() {
        TwoProcesses views = new TwoProcesses();
        views.acquires(MappingId.FIRST, 2);
        views.acquires(MappingId.of(1), 5);
        Subject subject = new Subject(views);
        subject.call(10);
        subject.grant(1, true);
        subject.acquired();
        subject.release(true);
        subject.acts.quietly();

        subject.performed();

        assertEquals(
                new Effect.AdmitReaders(LOCK, 0, true, new ViewMark(MappingId.FIRST, 2)),
                subject.acts.out.take().getLast());
    }
}
