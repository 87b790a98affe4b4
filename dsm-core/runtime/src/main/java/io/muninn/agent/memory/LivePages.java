package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.diff.Diff;
import io.muninn.directory.PageQueue;
import io.muninn.ipc.ControlMemory;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.kernel.port.Traps;
import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.PageImages;
import io.muninn.spi.Event;
import io.muninn.spi.Hosts;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.TimerId;
import io.muninn.wire.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Pages in memory that the agent shares with a node's processes: content through the alias, access
 * through the fault engine.
 *
 * <p><b>Processes.</b> The kernel's access to a page is that of the node. A process gets it when
 * one of its threads stops at the page; what takes access takes it from every process.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class LivePages implements Pages, Traps {
    private static final PageSpan NOTHING = new PageSpan(new PageId(0, 0), 0);

    private final MappingId mapping; // by which the kernel names the node's processes
    private final FaultEngine engine;
    private final PageTable table = new PageTable();
    private final MemorySegment alias;
    private final FaultTimes times;
    private final PageClaims claims;
    private final DiffStore diffs = new DiffStore();
    private final DiffBatches batches;
    private final PageBytes bytes;
    private final PageImages images;
    private final EngineChanges changes;
    private final ProcessAccess processes;
    private final PageWithdrawals withdrawals;
    private final PageQueue toWake = new PageQueue(); // when their withdrawal is done
    private Optional<LivePool> ofPool = Optional.empty();

    /** The pages whose access was set last; a resume that follows need not set it again. */
    private PageSpan justAllowed = NOTHING;

    /**
     * @param mapping by which the kernel names the node's processes
     * @param events receives the results of withdrawals
     * @param watchReleases sets the word that traps set, see {@link ControlMemory#watchReleases}
     * @param stopped receives the times for which threads were stopped
     */
    public LivePages(
            MappingId mapping,
            FaultEngine engine,
            Consumer<Event.AccessWithdrawn> events,
            Runnable watchReleases,
            FaultTimes.Listener stopped) {
        this.mapping = mapping;
        this.engine = engine;
        this.alias = engine.alias();
        this.times = new FaultTimes(stopped);
        this.claims = new PageClaims(mapping, engine, table);
        this.changes = new EngineChanges(engine, table);
        this.processes = new ProcessAccess(engine, table, claims, changes, times);
        this.withdrawals = new PageWithdrawals(mapping, engine, table, claims, changes, events);
        this.images = new PageImages(engine);
        this.bytes = new PageBytes(engine, table, claims, diffs);
        this.batches = new DiffBatches(engine, table, claims, diffs, watchReleases, this);
    }

    /**
     * Adds a region.
     *
     * @param traits of the protocol that serves it in this run
     */
    public void add(RegionSpec region, ProtocolTraits traits) {
        table.add(region);
        claims.add(region, traits);
        bytes.add(region);
        batches.add(region);
        if (traits.has(Trait.POOLED)) {
            ofPool.orElseThrow().add(region);
        }
    }

    /**
     * Uses the run's pool from now on, as this node.
     *
     * @param threads of all nodes
     */
    public void use(HostPool of, int node, NodeThreads threads) {
        LivePool used = new LivePool(of, node, threads, engine, table, claims, times);
        ofPool = Optional.of(used);
        bytes.use(used);
    }

    /** Calls {@link LivePool#verify}, if there is a pool. */
    public void verifyPool() {
        ofPool.ifPresent(LivePool::verify);
    }

    /** Learns which nodes share a pool, if there are several. */
    public void meet(Hosts hosts) {
        ofPool.ifPresent(used -> used.meet(hosts));
    }

    /** The run's pool, as this node uses it. */
    public PoolMemory pool() {
        return ofPool.<PoolMemory>map(used -> used).orElse(PoolMemory.NONE);
    }

    /**
     * Takes the page of a fault from the traps.
     *
     * @return false if a trap is entering it: the threads that have stopped there are sent back,
     *     and wait for that trap in their own
     */
    public boolean takeFaulted(MappingId of, PageId page) {
        boolean isEntering = claims.isEntering(page);
        if (isEntering) {
            sendBack(of, page);
        }
        return !isEntering;
    }

    /** Lets threads that have stopped at a page retry, because a trap gives access. */
    private void sendBack(PageId page) {
        engine.wake(table.offset(page), table.pageBytes(page));
        times.end(page);
    }

    private void sendBack(MappingId of, PageId page) {
        engine.wake(of, table.offset(page), table.pageBytes(page));
        times.end(of, page);
    }

    /** Returns the page of a fault at this offset of the mapping, and starts its time. */
    public PageId faulted(MappingId of, long offset, FaultKind kind, int thread, long nowNanos) {
        PageId page = table.pageAt(offset);
        times.begin(of, page, kind, thread, nowNanos);
        return page;
    }

    /** See {@link FaultTimes#reportOverdue}. */
    public void reportOverdue(long nowNanos, long limitNanos, Consumer<PageId> report) {
        times.reportOverdue(nowNanos, limitNanos, report);
    }

    /** The page at which a thread has been stopped for the longest time, if any is stopped. */
    public Optional<StoppedAt> oldestStop() {
        return times.oldest();
    }

    @Override
    public void beforeStep(Event event, Listener listener) {
        report(listener);
        switch (event) {
            case Event.FaultRaised fault -> claims.freeze(fault.page(), listener);
            case Event.MessageArrived(_, ProtocolMessage message, _) when message.touchesPages() ->
                    claims.freeze(message, listener);
            case Event.AccessWithdrawn(_, PageId first, int count, _) ->
                    forEach(first, count, page -> claims.freeze(page, listener));
            case Event.TimerFired(TimerId.HoldOver(PageId page), _) ->
                    claims.freeze(page, listener);
            default -> {} // changes no page that a trap may own
        }
    }

    @Override
    public void report(Listener listener) {
        justAllowed = NOTHING; // a trap may have changed it since
        claims.tellNews(listener);
    }

    @Override
    public void afterStep(Listener listener) {
        settleClaims();
    }

    private void settleClaims() {
        claims.stepIsOver();
        claims.offerTaken();
    }

    @Override
    public void setAccess(MappingId of, PageId page, PageAccess access) {
        setAccess(of, page, 1, access);
    }

    @Override
    public void setAccess(MappingId of, PageId first, int count, PageAccess access) {
        check(of);
        if (access == PageAccess.READ_WRITE && claims.haveViews(first)) {
            forEach(first, count, claims::takeUnlessStored); // the thread that stores has it
            put(first, count, access);
            return;
        }
        new PageSpan(first, count)
                .forEachRun(
                        table::hasContent,
                        (run, hasContent) -> {
                            if (hasContent) { // others fault at their next access
                                change(run.first(), run.count(), access);
                            }
                        });
    }

    private void check(MappingId named) {
        if (!named.equals(mapping) && !processes.isOneOfSeveral(named)) {
            throw new IllegalArgumentException("application process " + named + " is not here");
        }
    }

    private void change(PageId first, int count, PageAccess access) {
        switch (access) {
            case NONE, READ -> protect(first, count, access);
            case READ_WRITE -> {
                forEach(first, count, claims::takeUnlessStored);
                put(first, count, access);
                give(first, count, access, (_, _) -> {});
            }
        }
    }

    /**
     * Write-protects pages. A page to which a thread is about to store cannot be protected now: it
     * keeps its twin.
     */
    private void protect(PageId first, int count, PageAccess access) {
        int end = 0;
        for (int begin = 0; begin < count; begin = end + 1) {
            end = begin;
            while (end < count && claims.take(first.plus(end))) {
                end++;
            }
            if (end > begin) {
                PageId from = first.plus(begin);
                int taken = end - begin;
                put(from, taken, access);
                if (access == PageAccess.NONE) {
                    changes.withdraw(from, taken);
                } else if (processes.areSeveral()) {
                    forEachSettled(from, taken, changes::limit, changes::withdraw);
                } else {
                    give(from, taken, access, changes::withdraw);
                }
            }
            if (end < count) {
                keepTwin(first.plus(end));
            }
        }
    }

    /**
     * Remakes the twin of a page that stays writable. It is reported as if a thread had stored to
     * the page, unless a comparison of this step reports it.
     */
    private void keepTwin(PageId page) {
        if (table.twin(page) == 0) {
            table.twin(page, engine.remakeTwin(table.offset(page), table.pageBytes(page)));
        }
        claims.tellAgain(page);
    }

    private void put(PageId first, int count, PageAccess access) {
        forEach(first, count, page -> table.put(page, access));
    }

    private static void forEach(PageId first, int count, Consumer<PageId> action) {
        for (int i = 0; i < count; i++) {
            action.accept(first.plus(i));
        }
    }

    private long bytes(PageId first, int count) {
        return (long) count * table.pageBytes(first);
    }

    @Override
    public void withdraw(MappingId of, PageId first, int count) {
        check(of);
        if (processes.isOneOfSeveral(of)) {
            withdrawals.begin(of, first, count);
        } else {
            withdrawals.begin(first, count);
        }
        justAllowed = NOTHING;
    }

    /** Called when a process's command thread has performed its oldest request to drop pages. */
    public void onWithdrawn(MappingId of) {
        withdrawals.onDropped(
                of,
                span -> {
                    span.forEach(this::settle);
                    settleClaims();
                });
    }

    /** Applies the access or poison that was set for a page while it was being withdrawn. */
    private void settle(PageId page) {
        if (table.isPoisoned(page)) {
            changes.poison(page);
        } else if (table.hasContent(page) && table.access(page) != PageAccess.NONE) {
            processes.give(page, table.access(page));
            claims.offerLater(page);
        }
        if (toWake.contains(page)) {
            toWake.remove(page);
            engine.wake(table.offset(page), table.pageBytes(page));
        }
    }

    /** An operation on neighbouring pages. */
    private interface Action {
        void on(PageId first, int count);
    }

    /**
     * Grants pages the access that they have in the table.
     *
     * @param withdrawing is called for those that get it later, because they are being withdrawn
     */
    private void give(PageId first, int count, PageAccess access, Action withdrawing) {
        forEachSettled(first, count, (from, length) -> allow(from, length, access), withdrawing);
    }

    private void forEachSettled(PageId first, int count, Action settled, Action withdrawing) {
        if (withdrawals.isEmpty()) {
            settled.on(first, count);
            return;
        }
        new PageSpan(first, count)
                .forEachRun(
                        table::isWithdrawing,
                        (run, isWithdrawing) ->
                                (isWithdrawing ? withdrawing : settled)
                                        .on(run.first(), run.count()));
    }

    private void allow(PageId first, int count, PageAccess access) {
        if (processes.areSeveral()) {
            forEach(first, count, page -> processes.give(page, access));
        } else {
            changes.allow(MappingId.FIRST, first, count, access);
            justAllowed = new PageSpan(first, count);
        }
    }

    /**
     * Not a call with a list of one element: the loop would be compiled for two classes of lists
     * (0045).
     */
    @Override
    public void install(MappingId of, PageId page, Payload image, PageAccess access) {
        check(of);
        images.clear();
        add(page, image);
        installImages(page, access);
        table.put(page, access);
        if (access != PageAccess.NONE && !processes.areSeveral()) {
            justAllowed = new PageSpan(page, 1);
        }
    }

    @Override
    public void install(
            MappingId of, List<PageId> pages, List<Payload> received, PageAccess access) {
        check(of);
        images.clear();
        PageId first = pages.getFirst();
        for (int i = 0; i < pages.size(); i++) {
            PageId page = pages.get(i);
            if (images.isFull()
                    || page.region() != first.region()
                    || table.isWithdrawing(page) != table.isWithdrawing(first)) {
                installImages(first, access);
            }
            first = images.count() == 0 ? page : first;
            add(page, received.get(i));
        }
        installImages(first, access);
        for (PageId page : pages) {
            table.put(page, access);
        }
    }

    private void add(PageId page, Payload received) {
        MemorySegment image = bytes.ofImage(page, received);
        clear(page);
        images.add(table.offset(page), image);
    }

    private void installImages(PageId first, PageAccess access) {
        int bytes = table.pageBytes(first);
        PageAccess now = table.isWithdrawing(first) ? PageAccess.NONE : access;
        MappingId of = processes.receiver(first);
        changes.perform(first, images.count(), (_, _) -> images.install(of, bytes, now));
        images.clear();
    }

    @Override
    public void merge(PageId page, Payload image) {
        claims.takeToChange(page);
        MemorySegment received = bytes.ofImage(page, image);
        int pageBytes = table.pageBytes(page);
        int granuleBytes = table.region(page).granuleBytes();
        boolean isZero = received.equals(MemorySegment.NULL);
        MemorySegment whole = isZero ? bytes.zeros(pageBytes) : received;
        long twin = table.twin(page);
        if (twin == 0) {
            alias.asSlice(table.offset(page), pageBytes).copyFrom(whole);
            return;
        }
        byte[] news = Diff.of(whole, bytes.twin(page), granuleBytes).bytes();
        if (news.length > 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment diff = arena.allocateFrom(ValueLayout.JAVA_BYTE, news);
                engine.apply(diff, table.offset(page), twin, pageBytes, granuleBytes);
            }
        }
    }

    /** Discards the old content of a page: threads would see it partly overwritten. */
    private void clear(PageId page) {
        claims.takeAll(page);
        if (table.hasContent(page)) {
            changes.discard(page, 1);
        }
    }

    @Override
    public void discard(PageId page) {
        discard(page, 1);
    }

    @Override
    public void discard(PageId first, int count) {
        int end = 0;
        for (int begin = 0; begin < count; begin = end + 1) {
            end = begin;
            while (end < count && table.hasContent(first.plus(end))) {
                claims.takeAll(first.plus(end));
                table.clear(first.plus(end));
                end++;
            }
            if (end > begin) {
                PageId from = first.plus(begin);
                changes.discard(from, end - begin);
            }
        }
    }

    @Override
    public void poison(PageId page) {
        if (claims.isEntering(page)) {
            sendBack(page);
            return;
        }
        claims.takeAll(page);
        if (!table.isWithdrawing(page)) { // otherwise the application would also drop the poison
            changes.poison(page);
        }
        table.poison(page);
        times.end(page);
    }

    @Override
    public void makeTwin(PageId page) {
        claims.takeAll(page);
        if (!table.hasContent(page)) {
            engine.touch(table.offset(page), table.pageBytes(page));
            table.put(page, PageAccess.NONE);
        }
        table.twin(page, engine.makeTwin(table.offset(page), table.pageBytes(page)));
    }

    @Override
    public void dropTwin(PageId page) {
        long twin = table.removeTwin(page);
        if (twin != 0) {
            claims.take(page); // otherwise a trap might be granting the access that the page keeps
            engine.freeTwin(twin, table.pageBytes(page));
        }
    }

    @Override
    public DiffSize saveDiff(PageId page, long interval, boolean keepTwin) {
        return saveDiffs(List.of(page), interval, keepTwin).getFirst();
    }

    @Override
    public List<DiffSize> saveDiffs(List<PageId> pages, long interval, boolean keepTwin) {
        return batches.save(pages, interval, keepTwin);
    }

    @Override
    public void dropDiff(PageId page, long interval) {
        diffs.dropSaved(page, interval);
    }

    @Override
    public void keepDiff(PageId page, long keep, Payload diff) {
        diffs.keep(page, keep, bytes(diff));
    }

    @Override
    public void dropKept(PageId page, long keep) {
        diffs.dropKept(page, keep);
    }

    @Override
    public int applyDiff(PageId page, Payload diff) {
        return applyDiffs(List.of(page), List.of(diff)).getFirst();
    }

    @Override
    public List<Integer> applyDiffs(List<PageId> pages, List<Payload> payloads) {
        return batches.apply(pages, payloads);
    }

    @Override
    public OptionalLong localStore(PageId page, int offset, int granuleBytes) {
        if (table.twin(page) == 0) {
            return OptionalLong.empty();
        }
        long here = Diff.value(alias, table.offset(page) + offset, granuleBytes);
        return here == Diff.value(bytes.twin(page), offset, granuleBytes)
                ? OptionalLong.empty()
                : OptionalLong.of(here);
    }

    @Override
    public void resume(MappingId of, PageId page, PageAccess access) {
        resume(of, page, 1, access);
    }

    @Override
    public void resume(MappingId of, PageId first, int count, PageAccess access) {
        check(of);
        if (processes.isOneOfSeveral(of)) {
            forEach(first, count, page -> resumeOne(of, page, access));
            return;
        }
        if (count == 1 && claims.isGivenByTrap(first, access)) {
            sendBack(first);
            return;
        }
        boolean alreadySet = true;
        for (int i = 0; i < count; i++) {
            PageId page = first.plus(i);
            if (table.isPoisoned(page)) { // poisoning has woken all threads
                if (count > 1) {
                    Pages.super.resume(of, first, count, access);
                }
                return;
            }
            alreadySet &= justAllowed.contains(page) && table.access(page) == access;
        }
        ensureContent(first, count);
        boolean mustAllow = !alreadySet;
        forEach(first, count, claims::takeUnlessStored);
        put(first, count, access);
        forEachSettled(
                first,
                count,
                (from, length) -> {
                    if (mustAllow) {
                        allow(from, length, access);
                    }
                    engine.wake(table.offset(from), bytes(from, length));
                },
                (from, length) -> forEach(from, length, toWake::add));
        justAllowed = NOTHING;
        for (int i = 0; i < count; i++) {
            processes.mapAround(first.plus(i));
            times.end(first.plus(i));
        }
    }

    /** Gives one process of several access to a page, and resumes its threads. */
    private void resumeOne(MappingId of, PageId page, PageAccess access) {
        if (table.isPoisoned(page)) {
            return; // poisoning has woken all threads
        }
        if (claims.isGivenByTrap(page, access)) {
            sendBack(of, page);
            return;
        }
        ensureContent(page, 1);
        claims.takeUnlessStored(page);
        table.put(page, access);
        processes.admit(of, page, access);
        times.end(of, page);
    }

    /** Fills pages without content with zeros; the others are not changed. */
    private void ensureContent(PageId first, int count) {
        for (int i = 0; i < count; i++) {
            if (!table.hasContent(first.plus(i))) {
                engine.touch(table.offset(first), bytes(first, count));
                return;
            }
        }
    }

    @Override
    public MemorySegment bytes(Payload payload) {
        return bytes.of(payload);
    }
}
