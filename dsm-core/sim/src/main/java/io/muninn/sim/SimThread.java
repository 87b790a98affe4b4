package io.muninn.sim;

import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
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
 * One application thread of a pretended node. Its {@link Body} does what the program says, until it
 * has to wait or wants time to pass; this class knows what it waits for and when it goes on.
 */
public final class SimThread {
    /** What a thread does when it runs. */
    public interface Body {
        /**
         * Goes on from where it stopped, until the thread is not {@link Status#READY} any more. A
         * body that wants time to pass calls {@link SimThread#sleep} and returns.
         */
        void go(SimThread thread);
    }

    /** What a thread is up to. */
    public enum Status {
        /** It has not been started. */
        NEW,
        /** It runs, or will at a time already planned. */
        READY,
        /** It stopped at a page. */
        FAULTED,
        /** It waits for the answer to a call. */
        WAITING,
        /** It has nothing more to do, or its node is lost. */
        ENDED
    }

    private static final long NO_PLAN = 0;

    private final SimNode node;
    private final WaiterId id;
    private final int position;
    private final Simulation simulation;
    private Body body = thread -> thread.end();
    private Status status = Status.NEW;
    private @Nullable PageId faultedAt; // null unless FAULTED
    private @Nullable PageId wokenAt; // until it runs; null unless it was woken at a page
    private boolean faultIsStore;
    private Runnable tellFault = () -> {}; // tells the agent of the last, if it has not heard yet
    private Event.@Nullable Waiting call; // null unless WAITING
    private @Nullable Outcome outcome; // null until a call is answered, and after it was taken
    private Optional<NodeCounter> waitTime = Optional.empty();
    private long stoppedNanos;
    private long lastPostNanos;
    private int calls;
    private final ArrayDeque<LockId> sections = new ArrayDeque<>(); // the locks it holds
    private long agentSeenNanos; // of a shared processor: the agent's part when it last had it
    private long plan; // the number of the run that is planned, or NO_PLAN
    private long plans;
    private boolean isWaking;
    private @Nullable Processor processor; // null while it stands still or waits for one
    private boolean isReady; // it has been woken, and waits for a processor or a switch
    private boolean isSwitching; // it has a processor, which still has to switch to it
    private long interruptedNanos; // by messages, since it was planned
    private @Nullable ProcessorUse stall; // its reason; null unless it stands still
    private final ProcessorSums sums = new ProcessorSums();

    SimThread(SimNode node, int index, int position) {
        this.node = node;
        this.simulation = node.simulation();
        this.id = new WaiterId(node.mapping(), index);
        this.position = position;
    }

    public SimNode node() {
        return node;
    }

    public WaiterId id() {
        return id;
    }

    /** False for a thread of a node's own, see {@link SimNode#ownThreads}. */
    private boolean isProgram() {
        return id.thread() < node.threads().size();
    }

    /** Its place among all threads: the program's in the order of their nodes, then all others. */
    public int position() {
        return position;
    }

    /** Whether observers are told what it does. */
    private boolean isFollowed() {
        return position < simulation.positions();
    }

    public Status status() {
        return status;
    }

    /** The page at which it stands; empty unless it stopped there and nobody has woken it yet. */
    public Optional<PageId> stoppedAt() {
        return Optional.ofNullable(faultedAt);
    }

    /** What is charged to it. */
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

    /** Goes on with another body when it runs next. */
    public void become(Body next) {
        body = next;
    }

    /** Lets time pass before the body goes on: more, if the agent takes the processor meanwhile. */
    public void sleep(long nanos) {
        agentSeenNanos = node.agentNanos();
        plan(node.processorFreeNanos() + nanos);
    }

    /**
     * What the time is charged as that the thread lets pass from now on, until it stops.
     *
     * @param use busy or prefetch
     */
    public void use(ProcessorUse use) {
        Processor used = processor;
        if (used != null) {
            used.use(use, simulation.nowNanos());
        }
    }

    /** Stands still until {@link #sleep} is called, because of another thread of its node. */
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

    /** It has got a processor. */
    void has(Processor given) {
        processor = given;
        interruptedNanos = given.interruptedNanos(simulation.nowNanos());
    }

    /** It has got a processor that ran another thread before, and goes on after the switch. */
    void goOnAfterSwitch(Processor given, long switchNanos) {
        has(given);
        isSwitching = true;
        agentSeenNanos = node.agentNanos();
        plan(node.processorFreeNanos() + switchNanos);
    }

    /** Its processor does something else for so long. */
    void interrupted(long nanos) {
        interruptedNanos += nanos;
    }

    /** The body is done. */
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

    /** Goes on now, if it is between two operations. */
    void goOnEarly() {
        boolean isRunning = processor != null && !isSwitching && !isWaking;
        if (status == Status.READY && plan != NO_PLAN && isRunning) {
            plan = NO_PLAN;
            body.go(this);
        }
    }

    private void run(long number) {
        if (plan != number) {
            return; // it has gone on earlier
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
            return; // goes on when it has got one
        }
        long takenNanos = node.agentNanos() - agentSeenNanos + interruptedNanos;
        boolean goesFirst = isWaking && !isSwitching; // does what it stopped at before the agent
        if (!goesFirst && takenNanos > 0) {
            agentSeenNanos = node.agentNanos();
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
        tellFault.run(); // faults are read before what their threads do next can be heard of
        body.go(this);
    }

    private boolean takeProcessor() {
        if (stall != null) {
            sums.countStall(stall, simulation.nowNanos() - stoppedNanos);
            stall = null;
        }
        return node.processors().take(this);
    }

    /**
     * Whether an access goes through; if not, the thread has stopped and its body returns, and
     * tries again when it goes on.
     *
     * @throws PageLostException if the page is gone with its node
     */
    public boolean mayAccess(PageId page, boolean isStore) {
        SimPages pages = node.pages();
        PageAccess access = pages.access(page);
        if (access == PageAccess.READ_WRITE || access == PageAccess.READ && !isStore) {
            return true;
        }
        if (access == PageAccess.READ && node.isTrapped(page)) {
            return true;
        }
        if (pages.isPoisoned(page)) {
            throw new PageLostException(node.describe(page));
        }
        FaultKind kind = isStore ? FaultKind.WRITE : FaultKind.READ;
        status = Status.FAULTED;
        faultedAt = page;
        faultIsStore = isStore;
        stop(Optional.of(NodeCounter.FAULT_NANOS));
        FaultKind raised = access == PageAccess.READ ? FaultKind.UPGRADE : kind;
        for (Observer observer : simulation.observers(Observers.Call.FAULT)) {
            observer.onFault(this, page, raised);
        }
        raise(fault(page, raised));
        return false;
    }

    private Event fault(PageId page, FaultKind kind) {
        ThreadMark mark = simulation.delays().namesThreads() ? mark() : ThreadMark.UNKNOWN;
        return new Event.FaultRaised(node.mapping(), page, kind, mark, 0);
    }

    /**
     * It may load from a page, not store as it is about to: its agent hears that before all else.
     */
    void raiseAgain(PageId page) {
        for (Observer observer : simulation.observers(Observers.Call.FAULT_AGAIN)) {
            observer.onFaultAgain(this, page);
        }
        node.arriveFirst(fault(page, FaultKind.UPGRADE));
    }

    /** Its agent hears of the fault a little later, or when the thread goes on. */
    private void raise(Event fault) {
        AtomicBoolean isHeard = new AtomicBoolean();
        tellFault =
                () -> {
                    if (!isHeard.getAndSet(true)) {
                        node.arrive(fault);
                    }
                };
        simulation.after(simulation.delays().trap(), tellFault);
    }

    public boolean isStoppedAt(PageId page) {
        return status == Status.FAULTED && page.equals(faultedAt);
    }

    /**
     * Whether it has been woken at a page and has not run since: because it has no processor, or
     * because waking takes time, if {@link Delays#keepsPagesOfWaking}.
     *
     * @param toStore only if it stopped there to store
     */
    boolean isAboutToUse(PageId page, boolean toStore) {
        return page.equals(wokenAt)
                && (faultIsStore || !toStore)
                && (isReady || simulation.delays().keepsPagesOfWaking());
    }

    /** The page it may have stopped at can be used, or is lost. */
    void wakeUp(PageId page) {
        if (isStoppedAt(page)) {
            faultedAt = null;
            wokenAt = page;
            long wakeNanos = simulation.delays().wake();
            long nanos = simulation.nowNanos() + wakeNanos - stoppedNanos;
            node.statistics().onStopped(page, faultIsStore ? 0 : nanos, faultIsStore ? nanos : 0);
            goOn(wakeNanos);
        }
    }

    /** How many calls it has entered. */
    public int calls() {
        return calls;
    }

    private ThreadMark mark() {
        return new ThreadMark(id.thread(), calls, Optional.ofNullable(sections.peekLast()));
    }

    /** It has done all accesses before. */
    private void enterCall() {
        calls++;
        node.onCallEntered();
    }

    /** Takes a lock that nobody else wants, without asking; false if it is not to be had so. */
    public boolean takeLock(LockId lock) {
        enterCall();
        if (node.takeLock(lock)) {
            tellAcquired(lock);
            return true;
        }
        return false;
    }

    /** Frees a lock that this thread holds. */
    public void freeLock(LockId lock) {
        if (isFollowed()) {
            for (Observer observer : simulation.observers(Observers.Call.RELEASE)) {
                observer.onRelease(this, lock);
            }
        }
        sections.removeLastOccurrence(lock);
        enterCall();
        node.freeLock(lock, this);
    }

    private void tellAcquired(LockId lock) {
        sections.add(lock);
        if (isFollowed()) {
            for (Observer observer : simulation.observers(Observers.Call.ACQUIRED)) {
                observer.onAcquired(this, lock);
            }
        }
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
                        || call instanceof Event.SignalAwaited(var _, var _, long endNanos)
                                && endNanos >= 0;
        if (isTimed && !node.isDead()) {
            cancelWait();
        }
    }

    /** Makes a call and waits; the outcome says how it ended. */
    public void call(Event.Waiting event) {
        if (event instanceof Event.BarrierReached arrival) {
            boolean isOfAll = arrival.parties() == Event.ALL_PARTIES;
            int parties = isOfAll ? simulation.allThreads() : arrival.parties();
            simulation
                    .observers()
                    .forEach(observer -> observer.onArrive(this, arrival.barrier(), parties));
        }
        status = Status.WAITING;
        call = event;
        stop(event.time());
        post(event);
    }

    /** Tells the agent something, after all that this thread told it before. */
    public void post(Event event) {
        enterCall();
        lastPostNanos = Math.max(lastPostNanos, simulation.nowNanos() + simulation.delays().call());
        simulation.at(lastPostNanos, () -> node.arrive(event));
    }

    /**
     * @param time counts the time until the thread goes on
     */
    private void stop(Optional<NodeCounter> time) {
        waitTime = time;
        stopFor(reason());
    }

    /** Why it stops. */
    private ProcessorUse reason() {
        return switch (call) {
            case null -> ProcessorUse.MEMORY_STALL;
            case Event.AcquireCalled(_, LockId lock, _) when !ObjectId.isTurn(lock) ->
                    ProcessorUse.LOCK_STALL;
            case Event.BarrierReached _ when waitTime.isPresent() -> ProcessorUse.BARRIER_STALL;
            default -> isIdle() ? ProcessorUse.IDLE : ProcessorUse.OTHER_STALL;
        };
    }

    void resume(Outcome answer) {
        if (status != Status.WAITING || outcome != null) {
            throw new Violation("waiters", this + " is told " + answer + " and did not ask");
        }
        outcome = answer;
        tell(answer);
        call = null;
        goOn(simulation.delays().call());
    }

    /** A thread acquires when its agent says so: whoever it wakes up may be slow. */
    private void tell(Outcome answer) {
        boolean done = answer instanceof Outcome.Done;
        switch (call) {
            case Event.AcquireCalled(_, LockId lock, _) -> {
                if (done) {
                    tellAcquired(lock);
                }
            }
            case Event.BarrierReached(_, BarrierId barrier, _, _, _) -> {
                if (done || answer instanceof Outcome.Delivered) {
                    simulation.observers().forEach(observer -> observer.onDepart(this, barrier));
                } else {
                    simulation
                            .observers()
                            .forEach(observer -> observer.onBarrierLeft(this, barrier));
                }
            }
            case null, default -> {}
        }
    }

    private void goOn(long delayNanos) {
        long nanos = simulation.nowNanos() + delayNanos - stoppedNanos;
        waitTime.ifPresent(time -> node.count(time, nanos));
        isWaking = true;
        plan(simulation.nowNanos() + node.effectDelayNanos() + delayNanos);
    }

    /** How the last call ended; once per call. */
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

    /** True for a thread that waits until there is something to do for it. */
    boolean isIdle() {
        return status == Status.WAITING
                && (call instanceof Event.ServeCalled || call instanceof Event.ReplyAwaited);
    }

    /** What the thread waits for, for a person; empty if it does not wait. */
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
