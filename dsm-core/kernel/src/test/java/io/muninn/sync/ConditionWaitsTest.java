package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.arm;
import static io.muninn.sync.Acts.disarm;
import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.ConditionCancel;
import io.muninn.sync.SyncMessage.ConditionCancelled;
import io.muninn.sync.SyncMessage.ConditionQueued;
import io.muninn.sync.SyncMessage.ConditionSignal;
import io.muninn.sync.SyncMessage.ConditionSignalled;
import io.muninn.sync.SyncMessage.ConditionWait;
import io.muninn.sync.SyncMessage.ConditionWake;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every cell of the table of {@link ConditionWaits}. Thread 2 of the node is under test. */
class ConditionWaitsTest {
    private static final ConditionId FULL = new ConditionId(new LockId("buffer"), "full");
    private static final int THREAD = 2;
    private static final GatedRelease.Signal LEAVING =
            new GatedRelease.Signal(waiter(THREAD), FULL, true);
    private static final Outcome TIMED_OUT =
            new Outcome.TimedOut("condition 'buffer/full' was not signalled");

    /** The states of the table, and how a thread gets into each. */
    private enum State {
        RUNNING,
        QUEUEING {
            @Override
            void prepare(Subject subject) {
                subject.callWait();
            }
        },
        QUEUED {
            @Override
            void prepare(Subject subject) {
                QUEUEING.prepare(subject);
                subject.queued();
            }
        },
        WOKEN {
            @Override
            void prepare(Subject subject) {
                QUEUED.prepare(subject);
                subject.wake();
            }
        },
        WAITING {
            @Override
            void prepare(Subject subject) {
                QUEUED.prepare(subject);
                subject.awaitSignal(-1);
            }
        },
        CANCELLING {
            @Override
            void prepare(Subject subject) {
                WAITING.prepare(subject);
                subject.giveUp(true);
            }
        },
        FLUSHING {
            @Override
            void prepare(Subject subject) {
                subject.callSignal();
            }
        },
        SIGNALLING {
            @Override
            void prepare(Subject subject) {
                FLUSHING.prepare(subject);
                subject.performed();
            }
        };

        void prepare(Subject subject) {}

        Subject subject() {
            Subject subject = new Subject();
            prepare(subject);
            subject.expect(this);
            subject.acts.quietly();
            return subject;
        }
    }

    private static final class Subject {
        final Acts acts = new Acts();
        final ConditionWaits waits = new ConditionWaits(new NodeThreads(1, 8), acts::begin);

        void callWait() {
            waits.onWaitCalled(new Event.WaitCalled(waiter(THREAD), FULL), acts.out);
        }

        void queued() {
            waits.onConditionQueued(new ConditionQueued(FULL, THREAD), acts.out);
        }

        void awaitSignal(long limitNanos) {
            waits.onSignalAwaited(
                    new Event.SignalAwaited(waiter(THREAD), FULL, limitNanos), acts.out);
        }

        void wake() {
            waits.onConditionWake(new ConditionWake(FULL, THREAD), acts.out);
        }

        void giveUp(boolean timedOut) {
            waits.giveUp(waiter(THREAD), timedOut, acts.out);
        }

        void cancelled() {
            waits.onConditionCancelled(new ConditionCancelled(FULL, THREAD), acts.out);
        }

        void callSignal() {
            waits.onSignalCalled(new Event.SignalCalled(waiter(THREAD), FULL, true), acts.out);
        }

        void performed() {
            waits.onReleasePerformed(LEAVING, acts.out);
        }

        void signalled() {
            waits.onConditionSignalled(new ConditionSignalled(FULL, THREAD), acts.out);
        }

        void expect(State state) {
            String word =
                    state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
            assertEquals(word, waits.stateOf(waiter(THREAD)));
        }
    }

    private static final Effect CANCEL = send(0, new ConditionCancel(FULL, THREAD));

    // a wait

    @Test
    void waitOfARunningThread_asksTheManager() {
        Subject subject = State.RUNNING.subject();

        subject.callWait();

        subject.acts.expect(send(0, new ConditionWait(FULL, THREAD)));
        subject.acts.expectBegun();
        subject.expect(State.QUEUEING);
    }

    @Test
    void threadThatIsInTheQueue_mayGiveUpTheLock() {
        Subject subject = State.QUEUEING.subject();

        subject.queued();

        subject.acts.expect(done(THREAD));
        subject.expect(State.QUEUED);
    }

    @Test
    void waitWithoutLimit_armsNoTimer() {
        Subject subject = State.QUEUED.subject();

        subject.awaitSignal(-1);

        subject.acts.expect();
        subject.expect(State.WAITING);
    }

    @Test
    void waitWithALimit_armsATimer() {
        Subject subject = State.QUEUED.subject();

        subject.awaitSignal(500);

        subject.acts.expect(arm(THREAD, 500));
        subject.expect(State.WAITING);
    }

    @Test
    void wakeBeforeTheSecondCall_isRememberedForIt() {
        Subject subject = State.QUEUED.subject();

        subject.wake();
        subject.acts.expect();
        subject.expect(State.WOKEN);
        subject.awaitSignal(500);

        subject.acts.expect(done(THREAD));
        subject.expect(State.RUNNING);
    }

    @Test
    void wake_endsTheWait() {
        Subject subject = State.WAITING.subject();

        subject.wake();

        subject.acts.expect(disarm(THREAD), done(THREAD));
        subject.expect(State.RUNNING);
    }

    // its end without a signal

    @Test
    void waitThatIsOver_asksTheManagerFirst() {
        Subject subject = State.WAITING.subject();

        subject.giveUp(true);
        subject.acts.expect(disarm(THREAD), CANCEL);
        subject.expect(State.CANCELLING);
        subject.giveUp(false);
        subject.acts.expect();
        subject.cancelled();

        subject.acts.expect(answer(THREAD, TIMED_OUT));
        subject.expect(State.RUNNING);
    }

    @Test
    void waitThatIsInterrupted_isCancelled() {
        Subject subject = State.WAITING.subject();

        subject.giveUp(false);
        subject.acts.expect(disarm(THREAD), CANCEL);
        subject.cancelled();

        subject.acts.expect(answer(THREAD, Outcome.CANCELLED));
    }

    @Test
    void wakeThatMeetsTheCancellation_counts() {
        Subject subject = State.CANCELLING.subject();

        subject.wake();

        subject.acts.expect(disarm(THREAD), done(THREAD));
        subject.expect(State.RUNNING);
    }

    @Test
    void cancellationOfAnAnsweredWait_isIgnored() {
        Subject subject = State.RUNNING.subject();

        subject.giveUp(false);

        subject.acts.expect();
        subject.expect(State.RUNNING);
    }

    // a signal

    @Test
    void signal_flushesAndDoesNotLeaveBefore() {
        Subject subject = State.RUNNING.subject();

        subject.callSignal();

        subject.acts.expect();
        subject.acts.expectBegun(LEAVING);
        subject.expect(State.FLUSHING);
    }

    @Test
    void flushedSignal_leaves() {
        Subject subject = State.FLUSHING.subject();

        subject.performed();

        subject.acts.expect(send(0, new ConditionSignal(FULL, THREAD, true)));
        subject.expect(State.SIGNALLING);
    }

    @Test
    void signalThatHasDoneItsWork_isAnswered() {
        Subject subject = State.SIGNALLING.subject();

        subject.signalled();

        subject.acts.expect(done(THREAD));
        subject.expect(State.RUNNING);
    }

    // threads of one node

    @Test
    void threads_haveStatesOfTheirOwn() {
        Subject subject = State.WAITING.subject();

        subject.waits.onSignalCalled(
                new Event.SignalCalled(waiter(0), FULL, false), subject.acts.out);

        subject.acts.expectBegun(new GatedRelease.Signal(waiter(0), FULL, false));
        assertEquals("Flushing", subject.waits.stateOf(waiter(0)));
        subject.expect(State.WAITING);
    }

    // what is impossible

    /** The columns of the table, and the states in which each is possible. */
    private enum Column {
        WAIT_CALLED(Subject::callWait, State.RUNNING),
        CONDITION_QUEUED(Subject::queued, State.QUEUEING),
        SIGNAL_AWAITED(subject -> subject.awaitSignal(-1), State.QUEUED, State.WOKEN),
        CONDITION_WAKE(Subject::wake, State.QUEUED, State.WAITING, State.CANCELLING),
        WAIT_OVER(subject -> subject.giveUp(true), State.RUNNING, State.WAITING, State.CANCELLING),
        CONDITION_CANCELLED(Subject::cancelled, State.CANCELLING),
        SIGNAL_CALLED(Subject::callSignal, State.RUNNING),
        RELEASE_PERFORMED(Subject::performed, State.FLUSHING),
        CONDITION_SIGNALLED(Subject::signalled, State.SIGNALLING);

        private final Consumer<Subject> act;
        private final Set<State> possible;

        Column(Consumer<Subject> act, State first, State... others) {
            this.act = act;
            this.possible = EnumSet.of(first, others);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everythingElse_isImpossible(Column column) {
        for (State state : State.values()) {
            if (!column.possible.contains(state)) {
                Subject subject = state.subject();
                subject.acts.expectViolation(
                        () -> column.act.accept(subject), "thread=2", "state=", "event=");
            }
        }
    }
}
