package io.muninn.node;

import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.node.port.LockWords;
import io.muninn.node.port.RunControl;
import io.muninn.node.port.Timers;
import io.muninn.node.port.Tracer;
import io.muninn.node.port.Transport;
import io.muninn.node.port.Traps;
import io.muninn.node.port.Waiters;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.protocol.Outcome;
import io.muninn.protocol.TimerId;
import io.muninn.protocol.WaiterId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongSupplier;

/** One node of a fixture: its kernel, and the ports of a machine that the test drives. */
final class FixtureNode implements LockWords, Waiters, Timers, Tracer, RunControl {
    private enum LockWord {
        ABSENT,
        FREE,
        HELD,
        HELD_WANTED
    }

    private record Withdrawal(PageId first, int count) {}

    /** Hears of every step, before its effects are performed. */
    interface Observer {
        void stepped(NodeId node, Event event, List<Effect> effects);
    }

    private final NodeId self;
    private final NodeKernel kernel;
    private final KernelLoop loop;
    private final MemoryPages pages;
    private final LongSupplier now;
    private final ArrayDeque<Event> faults = new ArrayDeque<>();
    private final ArrayDeque<Event> losses = new ArrayDeque<>();
    private final ArrayDeque<Withdrawal> withdrawals = new ArrayDeque<>();
    private final List<FixtureThread> threads = new ArrayList<>();
    private final Map<LockId, LockWord> lockWords = new LinkedHashMap<>();
    private final Map<TimerId, Long> deadlines = new LinkedHashMap<>();
    private final Map<Counter, Long> counts = new EnumMap<>(Counter.class);
    private final PageStatistics statistics = new PageStatistics();
    private final List<String> failures = new ArrayList<>();
    private boolean watched;
    private Observer observer = (_, _, _) -> {};

    FixtureNode(KernelConfig config, Transport transport, LongSupplier now) {
        this.self = config.self();
        this.kernel = new NodeKernel(config);
        this.now = now;
        this.pages =
                new MemoryPages(
                        (first, count) -> withdrawals.add(new Withdrawal(first, count)),
                        (page, poisoned) ->
                                threads.forEach(thread -> thread.wakeUp(page, poisoned)));
        this.loop =
                new KernelLoop(
                        kernel,
                        new EffectPerformer.Ports(transport, pages, this, this, this, this, this),
                        Traps.NONE,
                        now,
                        statistics,
                        new Steps());
        for (int i = 0; i < config.threads(); i++) {
            threads.add(new FixtureThread(this, i));
        }
    }

    NodeId self() {
        return self;
    }

    MemoryPages pages() {
        return pages;
    }

    FixtureThread thread(int index) {
        return threads.get(index);
    }

    List<FixtureThread> threads() {
        return threads;
    }

    void observe(Observer newObserver) {
        observer = newObserver;
    }

    /** A page as its protocol sees it on this node. */
    String describe(PageId page) {
        return kernel.describe(page);
    }

    /** Counts of each page. */
    PageStatistics statistics() {
        return statistics;
    }

    long count(Counter counter) {
        return counts.getOrDefault(counter, 0L);
    }

    /** What ended the run on this node. */
    List<String> failures() {
        return failures;
    }

    /** Steps one event and performs its effects; the results of effects come first. */
    void step(Event event) {
        loop.handle(event);
    }

    private final class Steps implements KernelLoop.Observer {
        @Override
        public void stepped(Event event, List<Effect> effects) {
            observer.stepped(self, event, effects);
        }

        @Override
        public void failed(Event outside, Throwable cause) {
            switch (cause) {
                case RuntimeException failed -> throw failed;
                case Error error -> throw error;
                default -> throw new AssertionError(cause);
            }
        }
    }

    void fault(PageId page, FaultKind kind) {
        faults.add(new Event.FaultRaised(MappingId.ONLY, page, kind, 0));
    }

    boolean hasFault() {
        return !faults.isEmpty();
    }

    /** Reads the oldest fault; its thread may long have been resumed by another's. */
    void stepFault() {
        Event.FaultRaised fault = (Event.FaultRaised) faults.remove();
        step(new Event.FaultRaised(fault.mapping(), fault.page(), fault.kind(), now.getAsLong()));
    }

    void lose(NodeId node) {
        losses.add(new Event.PeerLost(node, "no heartbeat"));
    }

    boolean hasLoss() {
        return !losses.isEmpty();
    }

    void stepLoss() {
        step(losses.remove());
    }

    boolean hasWithdrawal() {
        return !withdrawals.isEmpty();
    }

    void stepWithdrawal() {
        Withdrawal done = withdrawals.remove();
        for (int i = 0; i < done.count(); i++) {
            PageId page = new PageId(done.first().region(), done.first().index() + i);
            pages.setAccess(page, PageAccess.NONE);
        }
        step(new Event.AccessWithdrawn(done.first(), done.count()));
    }

    /** The earliest deadline; {@link Long#MAX_VALUE} if no timer is armed. */
    long nextDeadline() {
        return deadlines.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    }

    void stepTimer() {
        long deadline = nextDeadline();
        TimerId due =
                deadlines.entrySet().stream()
                        .filter(timer -> timer.getValue() == deadline)
                        .findFirst()
                        .orElseThrow()
                        .getKey();
        deadlines.remove(due);
        step(new Event.TimerFired(due, now.getAsLong()));
    }

    /** Takes a lent lock as the application does: without asking anybody. */
    boolean takeLock(LockId lock) {
        return lockWords.replace(lock, LockWord.FREE, LockWord.HELD);
    }

    void freeLock(LockId lock, Queue<Event> calls) {
        if (!lockWords.replace(lock, LockWord.HELD, LockWord.FREE)) {
            check(lockWords.get(lock) == LockWord.HELD_WANTED, "freed, but not held", lock);
            lockWords.put(lock, LockWord.ABSENT);
            calls.add(new Event.ReleaseCalled(lock));
        }
        if (watched) {
            watched = false;
            calls.add(new Event.ReleaseNoticed());
        }
    }

    @Override
    public boolean reclaim(LockId lock) {
        if (lockWords.replace(lock, LockWord.FREE, LockWord.ABSENT)) {
            return true;
        }
        check(lockWords.get(lock) == LockWord.HELD, "reclaimed, but not lent", lock);
        lockWords.put(lock, LockWord.HELD_WANTED);
        return false;
    }

    @Override
    public void lend(LockId lock, boolean held, boolean wanted) {
        check(lockWords.getOrDefault(lock, LockWord.ABSENT) == LockWord.ABSENT, "lent twice", lock);
        LockWord taken = wanted ? LockWord.HELD_WANTED : LockWord.HELD;
        lockWords.put(lock, held ? taken : LockWord.FREE);
    }

    @Override
    public void watchReleases() {
        watched = true;
    }

    @Override
    public void resume(WaiterId waiter, Outcome outcome) {
        threads.get(waiter.thread()).resume(outcome);
    }

    @Override
    public void arm(TimerId timer, long delayNanos) {
        deadlines.put(timer, now.getAsLong() + delayNanos);
    }

    @Override
    public void cancel(TimerId timer) {
        deadlines.remove(timer);
    }

    @Override
    public void count(Counter counter, long amount) {
        counts.merge(counter, amount, Long::sum);
    }

    @Override
    public void failRun(String reason) {
        failures.add(reason);
    }

    private void check(boolean condition, String otherwise, LockId lock) {
        if (!condition) {
            throw new AssertionError(
                    "node=" + self + " lock=" + lock + " " + otherwise + ": " + lockWords);
        }
    }
}
