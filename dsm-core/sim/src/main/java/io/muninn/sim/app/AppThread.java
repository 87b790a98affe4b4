package io.muninn.sim.app;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.Mode;
import io.muninn.api.NodeLostException;
import io.muninn.api.service.BarrierLink;
import io.muninn.api.spi.ApplicationThread;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.PageLostException;
import io.muninn.sim.SimThread;
import io.muninn.sim.Violation;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * One application thread: the program's code, and what it waits for on the pretended machine.
 *
 * <p>Time passes for it in quanta: what it computes is added up, and charged when it makes a
 * quantum or when the thread calls for something. Nothing else in the cluster runs meanwhile unless
 * it is due, so a program that polls sees what arrives at most a quantum late.
 *
 * <p><b>Threads.</b> {@link #go}, {@link #abandon} and {@link #cancelIfInterrupted} are for whoever
 * runs the simulation; everything else is for the code itself.
 */
final class AppThread implements SimThread.Body, ApplicationThread {
    /** The time limit of a wait without one. */
    static final long FOR_EVER = -1;

    private static final long PICOS = 1000; // in a nanosecond

    /** An atomic operation on memory that the agent shares costs as much as so many accesses. */
    private static final long LOCK_WORD_ACCESSES = 40;

    /**
     * Loads of few elements, with no store and no call of its agent between them, after which a
     * thread that keeps another one from running is taken to poll for what that one does.
     */
    private static final int POLLS_MAX = 1 << 25;

    private static final int POLLED_ELEMENTS_MAX = 4;

    private final AppCluster cluster;
    private final SimThread thread;
    private final Coroutine coroutine;
    private final PageId[] polledPages = new PageId[POLLED_ELEMENTS_MAX];
    private final long[] polledOffsets = new long[POLLED_ELEMENTS_MAX];
    private final boolean sharesProcessors;
    private int polledElements;
    private int polls;
    private final long quantumPicos;
    private final long accessPicos;
    private long owedPicos;
    private long computeNanos;
    private Optional<AppThread> joiner = Optional.empty();
    private boolean isJoining;
    private long joins;

    AppThread(AppCluster cluster, SimThread thread, Runnable code) {
        this.cluster = cluster;
        this.thread = thread;
        this.quantumPicos = cluster.quantumNanos() * PICOS;
        this.sharesProcessors = thread.node().processors().areLimited();
        this.accessPicos = cluster.model().accessPicos();
        String name = "node-" + thread.node().id() + "-app-" + thread.id().thread();
        this.coroutine = new Coroutine(name, code);
        thread.start(this);
    }

    @Override
    public void go(SimThread self) {
        cluster.runs(this);
        coroutine.resume();
        cluster.hasRun();
        if (coroutine.isEnded()) {
            self.end();
            joiner.ifPresent(AppThread::goOnAfterJoin);
        }
    }

    /** Ends the code; see {@link Coroutine#abandon}. */
    void abandon() {
        cluster.runs(this);
        coroutine.abandon();
    }

    /** Ends the thread's wait for a lock or a signal if it has been interrupted. */
    boolean cancelIfInterrupted() {
        if (!coroutine.isInterrupted()) {
            return false;
        }
        thread.cancelWait();
        return true;
    }

    /** The Java thread that runs the code. */
    Thread javaThread() {
        return coroutine.thread();
    }

    SimThread simThread() {
        return thread;
    }

    /** Virtual time that work and accesses took so far, in nanoseconds. */
    long computeNanos() {
        return computeNanos;
    }

    // ---- time ----

    /** Charges units of computation. */
    void work(long units) {
        coroutine.check();
        owedPicos += Math.multiplyExact(units, cluster.model().workPicos());
        settle();
    }

    /**
     * An access is about to take place.
     *
     * @param offset of the first byte, in its region
     * @throws IllegalStateException if the thread polls for what another one does that needs its
     *     processor
     */
    void access(PageId page, long offset, boolean isStore) {
        if (sharesProcessors) {
            countPoll(page, offset, isStore);
        }
        charge();
    }

    private void countPoll(PageId page, long offset, boolean isStore) {
        if (isStore || !isPolled(page, offset)) {
            endPoll();
        } else if (++polls >= POLLS_MAX) {
            checkPoll();
        }
    }

    /** Whether the element is one of the few that the thread has loaded since the poll began. */
    private boolean isPolled(PageId page, long offset) {
        for (int i = 0; i < polledElements; i++) {
            if (polledOffsets[i] == offset && polledPages[i] == page) {
                return true;
            }
        }
        if (polledElements == POLLED_ELEMENTS_MAX) {
            return false;
        }
        polledPages[polledElements] = page;
        polledOffsets[polledElements] = offset;
        polledElements++;
        return true;
    }

    private void endPoll() {
        polledElements = 0;
        polls = 0;
    }

    private void checkPoll() {
        endPoll();
        if (thread.keepsOthersWaiting()) {
            throw new IllegalStateException(
                    thread
                            + " has only loaded the same elements for long, and keeps another"
                            + " thread of its node from running: threads that share processors"
                            + " run until they stop. Poll with refresh() or refreshUntil(...),"
                            + " wait at a condition or a barrier, or simulate a processor for each"
                            + " thread");
        }
    }

    /** Charges an access. */
    void charge() {
        owedPicos += accessPicos;
        if (owedPicos >= quantumPicos) {
            settle();
        }
    }

    /** Lets the time pass that is owed. */
    private void settle() {
        coroutine.check();
        long nanos = owedPicos / PICOS;
        owedPicos %= PICOS;
        computeNanos += nanos;
        pass(nanos);
    }

    /** Lets time pass; others run only if they are due. */
    void pass(long nanos) {
        if (nanos > 0 && !cluster.passTime(nanos)) {
            thread.sleep(nanos);
            coroutine.suspend();
        }
    }

    // ---- pages ----

    /**
     * Whether an access goes through; if not, {@link #awaitPage} comes next.
     *
     * @throws InternalError if the page is gone with its node, as in a live run
     */
    boolean mayAccess(PageId page, boolean isStore) {
        try {
            return thread.mayAccess(page, isStore);
        } catch (PageLostException lost) {
            throw new InternalError("access to a page that is gone with its node", lost);
        }
    }

    /** Waits for the page at which an access did not go through. */
    void awaitPage() {
        coroutine.suspend();
    }

    // ---- synchronization ----

    /** Takes a lock if that needs nobody else. */
    boolean takeLock(LockId lock) {
        chargeLockWord();
        try {
            return thread.takeLock(lock);
        } catch (Violation found) {
            throw cluster.violated(found, coroutine);
        }
    }

    void freeLock(LockId lock) {
        chargeLockWord();
        observed(() -> thread.freeLock(lock));
    }

    private void chargeLockWord() {
        owedPicos += LOCK_WORD_ACCESSES * accessPicos;
        settle();
    }

    /** Waits for a lock. */
    void acquire(LockId lock) {
        settle();
        checkUntimed(waitFor(() -> thread.callAcquire(lock, FOR_EVER)));
    }

    /**
     * Waits for a lock; an interrupt ends the wait.
     *
     * @return true if the lock is held now, also when the interrupt came too late; the thread is
     *     still interrupted
     */
    boolean acquireInterruptibly(LockId lock, long limitNanos) throws TimeoutException {
        settle();
        cluster.watchInterrupts(this);
        Outcome outcome = waitFor(() -> thread.callAcquire(lock, limitNanos));
        cluster.unwatchInterrupts(this);
        if (Thread.currentThread().isInterrupted()) {
            return outcome instanceof Outcome.Done;
        }
        check(outcome);
        return true;
    }

    /** Asks to be put into a condition's queue. */
    void enterQueue(ConditionId condition) {
        settle();
        checkUntimed(waitFor(() -> thread.callWait(condition)));
    }

    /**
     * Waits for a signal.
     *
     * @param isInterruptible whether an interrupt ends the wait; the thread is still interrupted
     * @return true if the signal came, also when the interrupt came too late
     */
    boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible) {
        settle();
        if (isInterruptible) {
            cluster.watchInterrupts(this);
        }
        Outcome outcome = waitFor(() -> thread.callAwaitSignal(condition, limitNanos));
        if (isInterruptible) {
            cluster.unwatchInterrupts(this);
        }
        if (outcome instanceof Outcome.TimedOut || outcome instanceof Outcome.Cancelled) {
            return false;
        }
        checkUntimed(outcome);
        return true;
    }

    /** Wakes who waits for a condition. */
    void signal(ConditionId condition, boolean toAll) {
        settle();
        checkUntimed(waitFor(() -> thread.callSignal(condition, toAll)));
    }

    /** The clock of the pretended machine. */
    long nanoTime() {
        settle();
        return cluster.simulation().nowNanos();
    }

    /**
     * Waits at a barrier.
     *
     * @param contribution encoded; empty for none
     * @param isProgram false for meetings of our own
     * @return what came of all contributions; empty if there were none
     */
    byte[] barrier(
            BarrierId barrier, int parties, byte[] contribution, long limitNanos, boolean isProgram)
            throws TimeoutException {
        settle();
        Bytes given = new Bytes(contribution);
        Outcome outcome =
                check(
                        waitFor(() ->
                                thread.callBarrier(
                                        barrier, parties, limitNanos, isProgram, given)));
        return result(outcome);
    }

    private static byte[] result(Outcome outcome) {
        return outcome instanceof Outcome.Delivered(int _, Bytes result)
                ? result.array()
                : BarrierLink.NOTHING;
    }

    /** Waits until all others have arrived at a barrier. */
    byte[] gather(BarrierId barrier, int parties) {
        Event call = new Event.GatherCalled(thread.id(), barrier, parties);
        return result(call(call, NodeCounter.BARRIER_NANOS, true));
    }

    /** Calls for something without a time limit. */
    Outcome call(Event event, NodeCounter time, boolean isTimed) {
        settle();
        return checkUntimed(waitFor(() -> thread.call(event, time, isTimed)));
    }

    /** Calls for something with a time limit. */
    Outcome callTimed(Event event, NodeCounter time) throws TimeoutException {
        settle();
        return check(waitFor(() -> thread.call(event, time, true)));
    }

    /** Tells the agent something, and goes on. */
    void post(Event event) {
        settle();
        postAtOnce(event);
    }

    /**
     * Asks for pages, each of which that is not here costs time, unless the network is too busy.
     */
    void prefetch(PageId first, int count, Mode mode) {
        settle();
        ProcessorRules rules = cluster.simulation().cluster().processors();
        int absent = 0;
        for (int i = 0; i < count; i++) {
            PageAccess access = thread.node().pages().access(first.plus(i));
            absent += access == PageAccess.NONE ? 1 : 0;
        }
        if (absent > 0) {
            thread.use(ProcessorUse.PREFETCH);
            pass(absent * rules.prefetchNanos());
            thread.use(ProcessorUse.BUSY);
        }
        Event.PrefetchCalled call =
                new Event.PrefetchCalled(thread.node().mapping(), first, count, mode);
        if (cluster.simulation().queueNanos() > rules.prefetchQueueNanos()) {
            cluster.simulation().observers().forEach(each -> each.onPrefetchDropped(thread, call));
        } else {
            postAtOnce(call);
        }
    }

    /**
     * The same, but the time that is owed passes later: for a caller that is inside a monitor, and
     * must not let others run who want to enter it.
     */
    void postAtOnce(Event event) {
        endPoll();
        observed(() -> thread.post(event));
    }

    private Outcome waitFor(Runnable call) {
        endPoll();
        observed(call);
        coroutine.suspend();
        return thread.takeOutcome();
    }

    /** Does what observers see; what they find is for the simulation, not for the program. */
    void observed(Runnable deed) {
        coroutine.check();
        try {
            deed.run();
        } catch (Violation found) {
            throw cluster.violated(found, coroutine);
        }
    }

    private static Outcome checkUntimed(Outcome outcome) {
        try {
            return check(outcome);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a call without limit timed out", impossible);
        }
    }

    /** The outcome, if the call was answered as hoped. */
    private static Outcome check(Outcome outcome) throws TimeoutException {
        return switch (outcome) {
            case Outcome.Done _, Outcome.Delivered _, Outcome.Cancelled _ -> outcome;
            case Outcome.Refused _, Outcome.Completed _ -> outcome;
            case Outcome.TimedOut(String missing) -> throw new TimeoutException(missing);
            case Outcome.Broken(String reason) -> throw new BarrierBrokenException(reason);
            case Outcome.Lost(int node, String reason) -> throw new NodeLostException(node, reason);
        };
    }

    // ---- its end, for another thread ----

    @Override
    public void join() {
        cluster.current().awaitEndOf(this, FOR_EVER);
    }

    @Override
    public void join(long limitNanos) {
        cluster.current().awaitEndOf(this, limitNanos);
    }

    private void awaitEndOf(AppThread other, long limitNanos) {
        settle();
        if (other.coroutine.isEnded()) {
            return;
        }
        other.joiner = Optional.of(this);
        isJoining = true;
        joins++;
        if (limitNanos >= 0) {
            long join = joins;
            cluster.simulation().after(limitNanos, () -> endJoin(join));
        }
        observed(thread::stand);
        coroutine.suspend();
        other.joiner = Optional.empty();
    }

    /**
     * Waits for a future that another application thread completes.
     *
     * @return false if the time ran out
     */
    boolean awaitDone(CompletableFuture<?> future, long limitNanos) {
        settle();
        if (future.isDone()) {
            return true;
        }
        isJoining = true;
        joins++;
        long join = joins;
        future.whenComplete((_, _) -> endJoin(join));
        if (limitNanos >= 0) {
            cluster.simulation().after(limitNanos, () -> endJoin(join));
        }
        observed(thread::stand);
        coroutine.suspend();
        return future.isDone();
    }

    private void endJoin(long join) {
        if (join == joins) {
            goOnAfterJoin();
        }
    }

    private void goOnAfterJoin() {
        if (isJoining) {
            isJoining = false;
            thread.sleep(0);
        }
    }
}
