package io.muninn.sim;

import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.processor.ProcessorSums;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.WaiterId;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One application thread of a simulated node. Its {@link Body} runs the program until it has to
 * wait, or lets time pass; this class keeps the reason of a wait and plans the thread's next run.
 */
public final class SimThread {
    /** The code of a thread. */
    public interface Body {
        /**
         * Continues where it stopped, until the thread is not {@link Status#READY} any more. To let
         * time pass, a body calls {@link SimThread#sleep} and returns.
         */
        void go(SimThread thread);
    }

    /** The status of a thread. */
    public enum Status {
        /** It has not been started. */
        NEW,
        /** It runs, or its next run is planned. */
        READY,
        /** It has faulted on a page. */
        FAULTED,
        /** It waits for the answer to a call. */
        WAITING,
        /** Its body has ended, or its node is lost. */
        ENDED
    }

    private static final long NO_PLAN = 0;

    private final SimNode node;
    private final WaiterId id;
    private final MappingId process;
    private final int position;
    private final Simulation simulation;
    private Body body = thread -> thread.end();
    private Status status = Status.NEW;
    private @Nullable PageId faultedAt; // null unless FAULTED
    private @Nullable PageId wokenAt; // the page for which it was woken; null once it runs
    private boolean faultIsStore;
    private Runnable tellFault = () -> {}; // notifies the agent of the last fault, once
    private Event.@Nullable Waiting call; // null unless WAITING
    private @Nullable Outcome outcome; // null before the answer, and once taken
    private Optional<NodeCounter> waitTime = Optional.empty();
    private long stoppedNanos;
    private long lastPostNanos;
    private int calls;
    private final ArrayDeque<LockId> sections = new ArrayDeque<>(); // the locks it holds
    private long agentSeenNanos; // shared processor: the agent's time at the last plan
    private long plan; // the number of the run that is planned, or NO_PLAN
    private long plans;
    private boolean isWaking;
    private @Nullable Processor processor; // null while it is stopped or waits for one
    private boolean isReady; // it has been woken, and waits for a processor or a switch
    private boolean isSwitching; // it has a processor, which still has to switch to it
    private long interruptedNanos; // by messages, since it was planned
    private long othersNanos; // of the present stop, until other threads let it go on
    private @Nullable ProcessorUse stall; // why it is stopped; null if it is not
    private final ProcessorSums sums = new ProcessorSums();
    private final SimPermissions permissions = new SimPermissions(this);

    SimThread(SimNode node, int index, int position) {
        this.node = node;
        this.simulation = node.simulation();
        this.process = node.simulation().cluster().nodeThreads().processOf(index);
        this.id = new WaiterId(process, index);
        this.position = position;
    }

    public SimNode node() {
        return node;
    }

    /** Its process, whose access to pages it has. */
    public MappingId process() {
        return process;
    }

    public WaiterId id() {
        return id;
    }

    /** False for a thread of a node's own, see {@link SimNode#ownThreads}. */
    private boolean isProgram() {
        return id.thread() < node.threads().size();
    }

    /** Its index among all threads: the program's in the order of their nodes, then all others. */
    public int position() {
        return position;
    }

    /** Whether observers are notified of its operations. */
    boolean isFollowed() {
        return position < simulation.positions();
    }

    public Status status() {
        return status;
    }

    /** The page on which it has faulted; empty if it has not, or has been woken since. */
    public Optional<PageId> stoppedAt() {
        return Optional.ofNullable(faultedAt);
    }

    /** The time that is charged to it. */
    ProcessorSums sums() {
        return sums;
    }

    /** Whether another thread waits for a processor while this one runs. */
    public boolean keepsOthersWaiting() {
        return processor != null && node.processors().isAnyWaitedFor();
    }

    /** Starts the thread. */
    public void start(Body program) {
        body = program;
        status = Status.READY;
        isWaking = true;
        plan(simulation.nowNanos());
    }

    /** Continues with another body when it runs next. */
    public void become(Body next) {
        body = next;
    }

    /**
     * Lets time pass before the body continues: more, if the agent uses the processor meanwhile.
     */
    public void sleep(long nanos) {
        agentSeenNanos = node.work().takenNanos();
        plan(node.work().processorFreeNanos() + nanos);
    }

    /**
     * Sets the use as which the thread's time is charged from now on, until it stops.
     *
     * @param use busy or prefetch
     */
    public void use(ProcessorUse use) {
        Processor used = processor;
        if (used != null) {
            used.use(use, simulation.nowNanos());
        }
    }

    /** A part of the time for which it has been busy was a stall of its caches. */
    public void stalled(long nanos) {
        sums.charge(ProcessorUse.BUSY, -nanos);
        sums.charge(ProcessorUse.CACHE_STALL, nanos);
    }

    /** Of its present stop, it has waited for other threads for this time. */
    void waitedForOthers(long nanos) {
        othersNanos = nanos;
    }

    /** Stops until {@link #sleep} is called, to wait for another thread of its node. */
    public void stand() {
        stopFor(ProcessorUse.OTHER_STALL);
    }

    private void stopFor(ProcessorUse why) {
        stoppedNanos = simulation.nowNanos();
        stall = why;
        leaveProcessor(why);
    }

    private void leaveProcessor(ProcessorUse why) {
        Processor left = processor;
        if (left != null) {
            processor = null;
            node.processors().leave(this, left, why);
        }
    }

    /** Gives it a processor. */
    void has(Processor given) {
        processor = given;
        interruptedNanos = given.interruptedNanos(simulation.nowNanos());
    }

    /** Gives it a processor that ran another thread before; it continues after the switch. */
    void goOnAfterSwitch(Processor given, long switchNanos) {
        has(given);
        isSwitching = true;
        agentSeenNanos = node.work().takenNanos();
        plan(node.work().processorFreeNanos() + switchNanos);
    }

    /** Delays it, because its processor is interrupted for this time. */
    void interrupted(long nanos) {
        interruptedNanos += nanos;
    }

    /** Ends the thread; called by its body. */
    public void end() {
        if (status != Status.ENDED) {
            status = Status.ENDED;
            leaveProcessor(ProcessorUse.IDLE);
            if (isProgram()) {
                simulation.onEnded(this);
            }
        }
    }

    void die() {
        status = Status.ENDED;
        processor = null;
    }

    private void plan(long timeNanos) {
        if (plan != NO_PLAN) {
            throw new IllegalStateException(this + " is planned twice");
        }
        long number = ++plans;
        plan = number;
        simulation.at(timeNanos, () -> run(number));
    }

    /** Continues now, if it is between two operations. */
    void goOnEarly() {
        boolean isRunning = processor != null && !isSwitching && !isWaking;
        if (status == Status.READY && plan != NO_PLAN && isRunning) {
            plan = NO_PLAN;
            body.go(this);
        }
    }

    private void run(long number) {
        if (plan != number) {
            return; // it has continued earlier
        }
        plan = NO_PLAN;
        if (status == Status.ENDED) {
            return;
        }
        if (simulation.nowNanos() < node.pausedUntilNanos()) {
            plan(node.pausedUntilNanos());
            return;
        }
        if (processor == null && !takeProcessor()) {
            isReady = true;
            return; // continues when it is given one
        }
        long takenNanos = node.work().takenNanos() - agentSeenNanos + interruptedNanos;
        boolean goesFirst = isWaking && !isSwitching; // its operation precedes the agent's work
        if (!goesFirst && takenNanos > 0) {
            agentSeenNanos = node.work().takenNanos();
            interruptedNanos = 0;
            plan(simulation.nowNanos() + takenNanos);
            return;
        }
        isWaking = false;
        isReady = false;
        Processor switched = processor;
        if (isSwitching && switched != null) {
            isSwitching = false;
            node.processors().begin(this, switched);
        }
        status = Status.READY;
        wokenAt = null; // it accesses the page now, or never
        tellFault.run(); // the agent reads a fault before later calls of its thread
        body.go(this);
    }

    private boolean takeProcessor() {
        if (stall != null) {
            sums.countStall(stall, simulation.nowNanos() - stoppedNanos, othersNanos);
            othersNanos = 0;
            stall = null;
        }
        return node.processors().take(this);
    }

    /**
     * Whether an access is permitted. If not, the thread has faulted; its body returns, and repeats
     * the access when it continues.
     *
     * @throws PageLostException if the page was lost with its node
     */
    public boolean mayAccess(PageId page, boolean isStore) {
        SimPages pages = node.pages();
        PageAccess access = pages.access(page, process);
        if (access == PageAccess.READ_WRITE || access == PageAccess.READ && !isStore) {
            return true;
        }
        if (access == PageAccess.READ
                && pages.access(page) == PageAccess.READ
                && node.isTrapped(page, process)) {
            return true;
        }
        if (pages.isPoisoned(page)) {
            throw new PageLostException(node.describe(page));
        }
        if (node.isOffered(page)) {
            if (node.enter(page, this)) {
                return mayAccess(page, isStore);
            }
            stopAt(page, isStore);
            return false;
        }
        FaultKind kind = isStore ? FaultKind.WRITE : FaultKind.READ;
        stopAt(page, isStore);
        FaultKind raised = access == PageAccess.READ ? FaultKind.UPGRADE : kind;
        for (Observer observer : simulation.observers(Observers.Call.FAULT)) {
            observer.onFault(this, page, raised);
        }
        raise(fault(page, raised));
        return false;
    }

    private void stopAt(PageId page, boolean isStore) {
        status = Status.FAULTED;
        faultedAt = page;
        faultIsStore = isStore;
        stop(Optional.of(NodeCounter.FAULT_NANOS));
    }

    private Event fault(PageId page, FaultKind kind) {
        ThreadMark mark = simulation.delays().namesThreads() ? mark() : ThreadMark.UNKNOWN;
        return new Event.FaultRaised(process, page, kind, mark, 0);
    }

    /**
     * Repeats its fault, because the page to which it is about to store is only readable now. The
     * agent handles the fault before all other events.
     */
    void raiseAgain(PageId page) {
        for (Observer observer : simulation.observers(Observers.Call.FAULT_AGAIN)) {
            observer.onFaultAgain(this, page);
        }
        node.arriveFirst(fault(page, FaultKind.UPGRADE), this);
    }

    /** Notifies its agent of the fault after a delay, or when the thread continues. */
    private void raise(Event fault) {
        AtomicBoolean isHeard = new AtomicBoolean();
        tellFault =
                () -> {
                    if (!isHeard.getAndSet(true)) {
                        node.arrive(fault, this);
                    }
                };
        simulation.after(simulation.delays().trap(), tellFault);
    }

    public boolean isStoppedAt(PageId page) {
        return status == Status.FAULTED && page.equals(faultedAt);
    }

    /**
     * Whether it has been woken for a page and has not run since: it has no processor, or is still
     * being woken and {@link Delays#keepsPagesOfWaking} is true.
     *
     * @param toStore true to consider faults at stores only
     */
    boolean isAboutToUse(PageId page, boolean toStore) {
        return page.equals(wokenAt)
                && (faultIsStore || !toStore)
                && (isReady || simulation.delays().keepsPagesOfWaking());
    }

    /** Wakes it if it waits for this page, which can be accessed now or is lost. */
    void wakeUp(PageId page) {
        if (isStoppedAt(page)) {
            faultedAt = null;
            wokenAt = page;
            long wakeNanos = simulation.delays().wake();
            long nanos = simulation.nowNanos() + wakeNanos - stoppedNanos;
            node.statistics().onStopped(page, faultIsStore ? 0 : nanos, faultIsStore ? nanos : 0);
            for (Observer each : simulation.observers(Observers.Call.PAGE_WAITED)) {
                each.onPageWaited(this, page, faultIsStore, stoppedNanos, stoppedNanos + nanos);
            }
            goOn(wakeNanos);
        }
    }

    /** The number of calls that it has entered. */
    public int calls() {
        return calls;
    }

    private ThreadMark mark() {
        return new ThreadMark(id.thread(), calls, Optional.ofNullable(sections.peekLast()));
    }

    /** Counts a call; all earlier accesses are done. */
    void enterCall() {
        calls++;
        node.onCallEntered();
    }

    /**
     * Acquires a lock.
     *
     * @param timeoutNanos longest wait; negative for no limit
     * @return false if the thread waits for the answer to a call
     */
    public boolean acquire(LockId lock, long timeoutNanos) {
        if (!takeLock(lock)) {
            call(new Event.AcquireCalled(id, lock, timeoutNanos));
            return false;
        }
        Optional<Event.LocalAcquireCalled> rest = localAcquire(lock);
        rest.ifPresent(this::call);
        return rest.isEmpty();
    }

    /**
     * Takes a lock in shared memory; false if that is not possible now. The thread has acquired it
     * after the call of {@link #localAcquire}, if there is one.
     */
    public boolean takeLock(LockId lock) {
        enterCall();
        boolean isTaken = node.locks().take(lock);
        if (isTaken && localAcquire(lock).isEmpty()) {
            tellAcquired(lock);
        }
        return isTaken;
    }

    /** The call by which this thread acquires a lock that it has taken; empty if none is needed. */
    public Optional<Event.LocalAcquireCalled> localAcquire(LockId lock) {
        return node.locks().localAcquire(lock, this);
    }

    /** Frees a lock that this thread holds. */
    public void freeLock(LockId lock) {
        if (isFollowed()) {
            for (Observer observer : simulation.observers(Observers.Call.RELEASE)) {
                observer.onRelease(this, lock);
            }
        }
        simulation.syncWaits().onRelease(lock, simulation.nowNanos());
        sections.removeLastOccurrence(lock);
        enterCall();
        node.locks().free(lock, this);
    }

    void tellAcquired(LockId lock) {
        sections.add(lock);
        if (isFollowed()) {
            for (Observer observer : simulation.observers(Observers.Call.ACQUIRED)) {
                observer.onAcquired(this, lock);
            }
        }
    }

    ArrayDeque<LockId> sections() {
        return sections;
    }

    /** Its operations on reader-writer locks. */
    public SimPermissions permissions() {
        return permissions;
    }

    Simulation simulation() {
        return simulation;
    }

    /** Ends the wait for a lock or a signal, as an interrupt does; any other wait continues. */
    public void cancelWait() {
        Event.Waiting current = call;
        if (current != null) {
            current.cancellation().ifPresent(this::post);
        }
    }

    /** Ends a wait as {@link #cancelWait} does, if it has a time limit. */
    public void cancelTimedWait() {
        boolean isTimed =
                call instanceof Event.AcquireCalled(var _, var _, long limitNanos)
                                && limitNanos >= 0
                        || call instanceof Event.PermissionCalled request
                                && request.timeoutNanos() >= 0
                        || call instanceof Event.SignalAwaited(var _, var _, long endNanos)
                                && endNanos >= 0;
        if (isTimed && !node.isDead()) {
            cancelWait();
        }
    }

    /** Makes a call and waits; the outcome tells how it ended. */
    public void call(Event.Waiting event) {
        if (event instanceof Event.BarrierReached arrival) {
            boolean isOfAll = arrival.parties() == Event.ALL_PARTIES;
            int parties = isOfAll ? simulation.allThreads() : arrival.parties();
            simulation
                    .observers()
                    .forEach(observer -> observer.onArrive(this, arrival.barrier(), parties));
            simulation.syncWaits().onArrive(this, arrival.barrier(), parties);
        }
        status = Status.WAITING;
        call = event;
        stop(event.time());
        post(event);
    }

    /** Sends an event to the agent without waiting, after all earlier ones of this thread. */
    public void post(Event event) {
        enterCall();
        lastPostNanos = Math.max(lastPostNanos, simulation.nowNanos() + simulation.delays().call());
        simulation.at(lastPostNanos, () -> node.arrive(event, this));
    }

    /**
     * @param time counts the time until the thread continues
     */
    private void stop(Optional<NodeCounter> time) {
        waitTime = time;
        stopFor(reason());
    }

    private ProcessorUse reason() {
        return switch (call) {
            case null -> ProcessorUse.MEMORY_STALL;
            case Event.AcquireCalled(_, LockId lock, _) when !ObjectId.isTurn(lock) ->
                    ProcessorUse.LOCK_STALL;
            case Event.LocalAcquireCalled _, Event.Permitting _ -> ProcessorUse.LOCK_STALL;
            case Event.BarrierReached _ when waitTime.isPresent() -> ProcessorUse.BARRIER_STALL;
            default -> isIdle() ? ProcessorUse.IDLE : ProcessorUse.OTHER_STALL;
        };
    }

    void resume(Outcome answer) {
        Event.Waiting asked = call;
        if (status != Status.WAITING || outcome != null || asked == null) {
            throw new Violation("waiters", this + " is told " + answer + " and did not ask");
        }
        outcome = answer;
        Answers.tell(this, asked, answer, stoppedNanos);
        long delayNanos = simulation.delays().call();
        for (Observer each : simulation.observers(Observers.Call.CALL_WAITED)) {
            each.onCallWaited(this, asked, stoppedNanos, simulation.nowNanos() + delayNanos);
        }
        call = null;
        goOn(delayNanos);
    }

    private void goOn(long delayNanos) {
        long nanos = simulation.nowNanos() + delayNanos - stoppedNanos;
        waitTime.ifPresent(time -> node.count(time, nanos));
        isWaking = true;
        plan(simulation.nowNanos() + node.work().effectDelayNanos() + delayNanos);
    }

    /** Returns the outcome of the last call, once per call. */
    public Outcome takeOutcome() {
        Outcome taken = outcome;
        outcome = null;
        if (taken == null) {
            throw new IllegalStateException(this + " was not answered");
        }
        return taken;
    }

    /** True if a call has been answered and {@link #takeOutcome} not called since. */
    public boolean hasOutcome() {
        return outcome != null;
    }

    /** The lock that it waits for, if it waits for one. */
    public Optional<LockId> awaitedLock() {
        return call instanceof Event.AcquireCalled(_, LockId lock, _)
                ? Optional.of(lock)
                : Optional.empty();
    }

    /** True for a thread that waits for work. */
    boolean isIdle() {
        return status == Status.WAITING
                && (call instanceof Event.ServeCalled || call instanceof Event.ReplyAwaited);
    }

    /** Describes the reason of the thread's wait; empty if it does not wait. */
    public Optional<String> waitsFor() {
        return switch (status) {
            case FAULTED ->
                    Optional.of(
                            faultedAt == null
                                    ? "its processor"
                                    : "page " + faultedAt + ": " + node.describe(faultedAt));
            case WAITING -> Optional.of(call == null ? "its processor" : "the answer to " + call);
            case NEW, READY, ENDED -> Optional.empty();
        };
    }

    @Override
    public String toString() {
        return "thread " + id.thread() + " of node " + node.id();
    }
}
