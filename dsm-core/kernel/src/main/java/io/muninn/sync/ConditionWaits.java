package io.muninn.sync;

import io.muninn.model.ConditionId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.ConditionCancel;
import io.muninn.sync.SyncMessage.ConditionCancelled;
import io.muninn.sync.SyncMessage.ConditionQueued;
import io.muninn.sync.SyncMessage.ConditionSignal;
import io.muninn.sync.SyncMessage.ConditionSignalled;
import io.muninn.sync.SyncMessage.ConditionWait;
import io.muninn.sync.SyncMessage.ConditionWake;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The threads of one node at conditions, whose queues are on the root ({@link ConditionManager}).
 * Each thread has a state of its own: it waits for one condition at most, or signals one.
 *
 * <p>A wait consists of two calls. The first, with the lock held, is answered when the manager has
 * queued the thread. Then the application releases the lock as usual, and the second call waits for
 * the signal. After that the application acquires the lock again. A signal, too, is given with the
 * lock held: every dirty page is flushed before it is sent, and the call is answered when the
 * manager has woken the selected threads.
 *
 * <p>Source: Munin §3.5.3.
 *
 * <pre>
 *              WaitCalled         ConditionQueued     SignalAwaited     ConditionWake
 * Running      ask, →Queueing     impossible          impossible        impossible
 * Queueing     impossible         answer, →Queued     impossible        impossible
 * Queued       impossible         impossible          →Waiting          →Woken
 * Woken        impossible         impossible          answer, →Running  impossible
 * Waiting      impossible         impossible          impossible        answer, →Running
 * Cancelling   impossible         impossible          impossible        answer, →Running (1)
 * Flushing     impossible         impossible          impossible        impossible
 * Signalling   impossible         impossible          impossible        impossible
 *
 *              wait over or cancelled   ConditionCancelled
 * Running      ignore (2)               impossible
 * Queueing     impossible               impossible
 * Queued       impossible               impossible
 * Woken        impossible               impossible
 * Waiting      ask, →Cancelling         impossible
 * Cancelling   ignore                   answer (3), →Running
 * Flushing     impossible               impossible
 * Signalling   impossible               impossible
 *
 *              SignalCalled        release performed        ConditionSignalled
 * Running      flush, →Flushing    impossible               impossible
 * Queueing     impossible          impossible               impossible
 * Queued       impossible          impossible               impossible
 * Woken        impossible          impossible               impossible
 * Waiting      impossible          impossible               impossible
 * Cancelling   impossible          impossible               impossible
 * Flushing     impossible          signal, →Signalling      impossible
 * Signalling   impossible          impossible               answer, →Running
 *
 * (1) as signalled: the signal had selected this thread before the cancellation reached the manager
 * (2) the thread was answered before the cancellation arrived
 * (3) with the cause of the end: the time limit, or an interrupt
 * </pre>
 */
public final class ConditionWaits {
    enum State {
        QUEUEING("Queueing"),
        QUEUED("Queued"),
        WOKEN("Woken"),
        WAITING("Waiting"),
        CANCELLING("Cancelling"),
        FLUSHING("Flushing"),
        SIGNALLING("Signalling");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private static final String RUNNING = "Running";

    /** The state of a thread that waits or signals. */
    private static final class Stay {
        final WaiterId waiter;
        final ConditionId condition;
        State state;
        Outcome end = Outcome.DONE; // of a wait that is cancelled

        Stay(WaiterId waiter, ConditionId condition, State state) {
            this.waiter = waiter;
            this.condition = condition;
            this.state = state;
        }
    }

    private final NodeThreads threads; // process of the threads that messages name
    private final Releases releases;
    private final Map<WaiterId, Stay> stays = new LinkedHashMap<>();

    public ConditionWaits(NodeThreads threads, Releases releases) {
        this.threads = threads;
        this.releases = releases;
    }

    /** Begins a wait of a thread that holds the lock. */
    public void onWaitCalled(Event.WaitCalled call, Effects out) {
        begin(call.waiter(), call.condition(), State.QUEUEING, call);
        out.send(NodeId.ROOT, new ConditionWait(call.condition(), call.waiter().thread()));
    }

    public void onConditionQueued(ConditionQueued queued, Effects out) {
        Stay stay = stay(queued.thread(), State.QUEUEING, queued);
        stay.state = State.QUEUED;
        out.resumeWaiter(stay.waiter, Outcome.DONE); // and now the lock may go
    }

    /** Waits for the signal; the thread has released the lock. */
    public void onSignalAwaited(Event.SignalAwaited call, Effects out) {
        Stay stay = stays.get(call.waiter());
        if (stay != null && stay.state == State.WOKEN) {
            end(stay, Outcome.DONE, out);
            return;
        }
        stay(call.waiter().thread(), State.QUEUED, call).state = State.WAITING;
        if (call.timeoutNanos() >= 0) {
            out.armTimer(new TimerId.WaitOver(call.waiter()), call.timeoutNanos());
        }
    }

    public void onConditionWake(ConditionWake wake, Effects out) {
        Stay stay = stays.get(waiter(wake.thread()));
        if (stay == null) {
            throw violation(wake.thread(), wake);
        }
        switch (stay.state) {
            case QUEUED -> stay.state = State.WOKEN;
            case WAITING, CANCELLING -> {
                out.cancelTimer(new TimerId.WaitOver(stay.waiter));
                end(stay, Outcome.DONE, out);
            }
            case QUEUEING, WOKEN, FLUSHING, SIGNALLING -> throw violation(wake.thread(), wake);
        }
    }

    /**
     * Requests the manager's consent to end a wait, whose time limit has elapsed or whose thread
     * was interrupted.
     */
    public void giveUp(WaiterId waiter, boolean timedOut, Effects out) {
        Stay stay = stays.get(waiter);
        if (stay == null || stay.state == State.CANCELLING) {
            return;
        }
        stay(waiter.thread(), State.WAITING, "wait over or cancelled").state = State.CANCELLING;
        String text = "condition '" + stay.condition + "' was not signalled";
        stay.end = timedOut ? new Outcome.TimedOut(text) : Outcome.CANCELLED;
        out.cancelTimer(new TimerId.WaitOver(waiter));
        out.send(NodeId.ROOT, new ConditionCancel(stay.condition, waiter.thread()));
    }

    public void onConditionCancelled(ConditionCancelled cancelled, Effects out) {
        Stay stay = stay(cancelled.thread(), State.CANCELLING, cancelled);
        end(stay, stay.end, out);
    }

    /** Begins a signal of a thread that holds the lock. */
    public void onSignalCalled(Event.SignalCalled call, Effects out) {
        begin(call.waiter(), call.condition(), State.FLUSHING, call);
        releases.begin(new GatedRelease.Signal(call.waiter(), call.condition(), call.all()), out);
    }

    /** Sends a signal, because every dirty page is flushed. */
    public void onReleasePerformed(GatedRelease.Signal signal, Effects out) {
        int thread = signal.waiter().thread();
        stay(thread, State.FLUSHING, signal).state = State.SIGNALLING;
        out.send(NodeId.ROOT, new ConditionSignal(signal.condition(), thread, signal.all()));
    }

    public void onConditionSignalled(ConditionSignalled signalled, Effects out) {
        end(stay(signalled.thread(), State.SIGNALLING, signalled), Outcome.DONE, out);
    }

    /** A thread's state, by its name in the table above. */
    public String stateOf(WaiterId waiter) {
        Stay stay = stays.get(waiter);
        return stay == null ? RUNNING : stay.state.word;
    }

    private void begin(WaiterId waiter, ConditionId condition, State state, Object event) {
        if (stays.put(waiter, new Stay(waiter, condition, state)) != null) {
            throw violation(waiter.thread(), event);
        }
    }

    private void end(Stay stay, Outcome outcome, Effects out) {
        stays.remove(stay.waiter);
        out.resumeWaiter(stay.waiter, outcome);
    }

    /** The state of a thread, which must be the expected one. */
    private Stay stay(int thread, State expected, Object event) {
        Stay stay = stays.get(waiter(thread));
        if (stay == null || stay.state != expected) {
            throw violation(thread, event);
        }
        return stay;
    }

    private ProtocolViolation violation(int thread, Object event) {
        return new ProtocolViolation(
                "thread=" + thread + " state=" + stateOf(waiter(thread)) + " event=" + event);
    }

    private WaiterId waiter(int thread) {
        return new WaiterId(threads.processOf(thread), thread);
    }
}
