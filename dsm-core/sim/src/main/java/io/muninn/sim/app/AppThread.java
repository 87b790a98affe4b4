package io.muninn.sim.app;

import io.muninn.api.spi.ApplicationThread;
import io.muninn.link.EventLink;
import io.muninn.link.ThreadCalls;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.Observer;
import io.muninn.sim.PageLostException;
import io.muninn.sim.SimThread;
import io.muninn.sim.Violation;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One application thread: runs the program's code on the simulated machine.
 *
 * <p>Its time passes in quanta: computation is summed, and charged when the sum reaches a quantum
 * or the thread makes a call. Other actions of the cluster run meanwhile only if they are due, so a
 * program that polls sees a message at most a quantum late.
 *
 * <p><b>Threads.</b> {@link #go}, {@link #abandon} and {@link #cancelIfInterrupted} are called by
 * the thread that runs the simulation; all other methods by the code itself.
 */
final class AppThread implements SimThread.Body, ApplicationThread, ThreadCalls {
    private static final long PICOS = 1000; // in a nanosecond

    /** The cost of an atomic operation on memory shared with the agent, in accesses. */
    private static final long LOCK_WORD_ACCESSES = 40;

    /**
     * Loads of the same few elements, without a store or a call between them, after which a thread
     * that keeps another one from running is assumed to poll for its stores.
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
    private final @Nullable Hardware hardware; // null without a model of it
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
        this.hardware = Hardware.of(thread);
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
        long picos = Math.multiplyExact(units, cluster.model().workPicos());
        owedPicos += picos;
        if (hardware != null) {
            hardware.compute(picos);
        }
        settle();
    }

    /**
     * Called before an access.
     *
     * @param offset of the first byte, in its region
     * @throws IllegalStateException if the thread polls for stores of another one that needs its
     *     processor
     */
    void access(PageId page, long offset, boolean isStore) {
        if (sharesProcessors) {
            countPoll(page, offset, isStore);
        }
        charge();
    }

    /**
     * Passes an access to the caches of its processor.
     *
     * @param address of the first byte in the node's shared memory
     */
    void reference(long address, long bytes, boolean isStore) {
        if (hardware != null) {
            hardware.access(address, bytes, isStore);
            if (owedPicos + hardware.stallPicos() >= quantumPicos) {
                settle();
            }
        }
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

    /** Lets the owed time pass. */
    private void settle() {
        coroutine.check();
        long nanos = owedPicos / PICOS;
        owedPicos %= PICOS;
        computeNanos += nanos;
        if (hardware == null) {
            pass(nanos);
            return;
        }
        long stallNanos = hardware.takeStallNanos(nanos);
        pass(nanos + stallNanos);
        thread.stalled(stallNanos);
    }

    /** Lets time pass that the thread spends in a lock of its own node. */
    private void passInLock() {
        if (hardware != null) {
            thread.use(ProcessorUse.LOCK_STALL);
            pass(hardware.localLockNanos());
            thread.use(ProcessorUse.BUSY);
        }
    }

    /** Lets time pass; other actions run only if they are due. */
    void pass(long nanos) {
        if (nanos > 0 && !cluster.passTime(nanos)) {
            thread.sleep(nanos);
            coroutine.suspend();
        }
    }

    // ---- pages ----

    /**
     * Whether an access is permitted; if not, the caller calls {@link #awaitPage}.
     *
     * @throws InternalError if the page was lost with its node, as in a live run
     */
    boolean mayAccess(PageId page, boolean isStore) {
        try {
            return thread.mayAccess(page, isStore);
        } catch (PageLostException lost) {
            throw new InternalError("access to a page that is gone with its node", lost);
        }
    }

    /** Called before the first store to a page since the process lost the access. */
    void firstStore(PageId page) {
        for (Observer each : cluster.simulation().observers()) {
            each.onFirstStore(thread, page);
        }
    }

    /** Waits for the page of an access that was not permitted. */
    void awaitPage() {
        thread.node().updates().ifPresent(updates -> updates.close(thread));
        coroutine.suspend();
    }

    /** Waits until it may load from a page. */
    void load(PageId page) {
        while (!mayAccess(page, false)) {
            awaitPage();
        }
    }

    // ---- synchronization ----

    /** Takes a lock if that needs no call. */
    boolean takeLock(LockId lock) {
        chargeLockWord();
        try {
            boolean isTaken = thread.takeLock(lock);
            if (isTaken) {
                passInLock();
                thread.localAcquire(lock).ifPresent(this::call);
            }
            return isTaken;
        } catch (Violation found) {
            throw cluster.violated(found, coroutine);
        }
    }

    void freeLock(LockId lock) {
        chargeLockWord();
        observed(() -> thread.freeLock(lock));
    }

    /** Enters a reader-writer lock if that needs no call. */
    boolean takePermission(ReadWriteLockId lock, boolean toWrite) {
        chargeLockWord();
        try {
            boolean isTaken = thread.permissions().take(lock, toWrite);
            if (isTaken) {
                passInLock();
                thread.permissions().localRead(lock).ifPresent(this::call);
            }
            return isTaken;
        } catch (Violation found) {
            throw cluster.violated(found, coroutine);
        }
    }

    void freeRead(ReadWriteLockId lock) {
        chargeLockWord();
        observed(() -> thread.permissions().freeRead(lock));
    }

    void freeWrite(ReadWriteLockId lock, boolean keepsReading) {
        chargeLockWord();
        observed(() -> thread.permissions().freeWrite(lock, keepsReading));
    }

    /** Charges an atomic operation on a word that other processors may have changed. */
    void chargeAtomic() {
        chargeLockWord();
    }

    private void chargeLockWord() {
        owedPicos += LOCK_WORD_ACCESSES * accessPicos;
        settle();
    }

    /** The clock of the simulated machine. */
    long nanoTime() {
        settle();
        return cluster.simulation().nowNanos();
    }

    @Override
    public WaiterId id() {
        return thread.id();
    }

    @Override
    public Outcome await(Event.Waiting call) {
        settle();
        endPoll();
        observed(() -> thread.call(call));
        coroutine.suspend();
        return thread.takeOutcome();
    }

    @Override
    public Outcome awaitInterruptibly(Event.Waiting call) {
        settle(); // before the watch: others may run meanwhile
        cluster.watchInterrupts(this);
        Outcome outcome = await(call);
        cluster.unwatchInterrupts(this);
        return outcome;
    }

    /**
     * Passes an event to the agent and continues. The time that is owed passes first, except at a
     * declaration: its caller is inside a monitor, which other threads may want to enter.
     */
    @Override
    public void post(Event event) {
        if (event instanceof Event.PrefetchCalled call) {
            prefetch(call);
            return;
        }
        if (!(event instanceof Event.ObjectDeclared)) {
            settle();
        }
        postAtOnce(event);
    }

    /**
     * Prefetches pages, unless its node's network interface is too busy. Each page that is not
     * present costs time.
     */
    private void prefetch(Event.PrefetchCalled call) {
        settle();
        ProcessorRules rules = cluster.simulation().cluster().processors();
        int absent = 0;
        for (int i = 0; i < call.count(); i++) {
            PageAccess access = thread.node().pages().access(call.first().plus(i));
            absent += access == PageAccess.NONE ? 1 : 0;
        }
        if (absent > 0) {
            thread.use(ProcessorUse.PREFETCH);
            pass(absent * rules.prefetchNanos());
            thread.use(ProcessorUse.BUSY);
        }
        if (cluster.simulation().queueNanos(thread.node().id()) > rules.prefetchQueueNanos()) {
            cluster.simulation().observers().forEach(each -> each.onPrefetchDropped(thread, call));
        } else {
            postAtOnce(call);
        }
    }

    private void postAtOnce(Event event) {
        endPoll();
        observed(() -> thread.post(event));
    }

    /**
     * Runs an action that observers see. A violation that they find ends the simulation, and is not
     * thrown to the program.
     */
    void observed(Runnable deed) {
        coroutine.check();
        try {
            deed.run();
        } catch (Violation found) {
            throw cluster.violated(found, coroutine);
        }
    }

    // ---- its end, for another thread ----

    @Override
    public void join() {
        cluster.current().awaitEndOf(this, EventLink.FOR_EVER);
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
