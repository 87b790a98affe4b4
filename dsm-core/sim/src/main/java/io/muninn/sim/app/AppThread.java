package io.muninn.sim.app;

import io.muninn.api.spi.ApplicationThread;
import io.muninn.link.EventLink;
import io.muninn.link.ThreadCalls;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
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
final class AppThread implements SimThread.Body, ApplicationThread, ThreadCalls {
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

    /** The clock of the pretended machine. */
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
     * Tells the agent something, and goes on. The time that is owed passes after a declaration: its
     * caller is inside a monitor, and must not let others run who want to enter it.
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
     * Asks for pages, each of which that is not here costs time, unless the network is too busy.
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
        if (cluster.simulation().queueNanos() > rules.prefetchQueueNanos()) {
            cluster.simulation().observers().forEach(each -> each.onPrefetchDropped(thread, call));
        } else {
            postAtOnce(call);
        }
    }

    private void postAtOnce(Event event) {
        endPoll();
        observed(() -> thread.post(event));
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
