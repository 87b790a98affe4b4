package io.muninn.kernel;

import io.muninn.api.Protocol;
import io.muninn.kernel.port.LockWords;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.kernel.port.RemoteMemory;
import io.muninn.kernel.port.RunControl;
import io.muninn.kernel.port.Timers;
import io.muninn.kernel.port.Tracer;
import io.muninn.kernel.port.Transport;
import io.muninn.kernel.port.Waiters;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.Effect.AdmitReaders;
import io.muninn.spi.Effect.ApplyDiff;
import io.muninn.spi.Effect.ArmTimer;
import io.muninn.spi.Effect.CancelTimer;
import io.muninn.spi.Effect.CloseReaders;
import io.muninn.spi.Effect.Discard;
import io.muninn.spi.Effect.DropDiff;
import io.muninn.spi.Effect.DropKept;
import io.muninn.spi.Effect.DropTwin;
import io.muninn.spi.Effect.FailRun;
import io.muninn.spi.Effect.FindRaces;
import io.muninn.spi.Effect.InstallPage;
import io.muninn.spi.Effect.KeepDiff;
import io.muninn.spi.Effect.LendLock;
import io.muninn.spi.Effect.MakeTwin;
import io.muninn.spi.Effect.MarkLock;
import io.muninn.spi.Effect.MergePage;
import io.muninn.spi.Effect.NoteStores;
import io.muninn.spi.Effect.OfRemote;
import io.muninn.spi.Effect.OfWords;
import io.muninn.spi.Effect.PerformRemote;
import io.muninn.spi.Effect.Poison;
import io.muninn.spi.Effect.ReclaimLock;
import io.muninn.spi.Effect.ReportRace;
import io.muninn.spi.Effect.ResumeFault;
import io.muninn.spi.Effect.ResumeWaiter;
import io.muninn.spi.Effect.SaveDiff;
import io.muninn.spi.Effect.Send;
import io.muninn.spi.Effect.SetAccess;
import io.muninn.spi.Effect.TestRemote;
import io.muninn.spi.Effect.UsePool;
import io.muninn.spi.Effect.ViewCovers;
import io.muninn.spi.Effect.WatchReleases;
import io.muninn.spi.Effect.WatchThreads;
import io.muninn.spi.Effect.Withdraw;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import io.muninn.spi.Race;
import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Performs effects. Agent and simulator share it; only the ports behind it differ. */
public final class EffectPerformer {
    /** The machine, live or simulated. */
    public record Ports(
            Transport transport,
            Pages pages,
            LockWords locks,
            Waiters waiters,
            Timers timers,
            Tracer tracer,
            RunControl run,
            RemoteMemory remotes,
            PoolMemory pool) {
        /** A machine without remote variables, and without a pool. */
        public Ports(
                Transport transport,
                Pages pages,
                LockWords locks,
                Waiters waiters,
                Timers timers,
                Tracer tracer,
                RunControl run) {
            this(
                    transport,
                    pages,
                    locks,
                    waiters,
                    timers,
                    tracer,
                    run,
                    RemoteMemory.NONE,
                    PoolMemory.NONE);
        }
    }

    private final Ports ports;
    private final PageStatistics statistics;
    private final LongSupplier nanoTime;
    private final Consumer<Event> results;
    private final OwnStores stores = new OwnStores();

    /**
     * @param statistics counts the operations on pages
     * @param nanoTime the time of results that have one
     * @param results receives the results of effects; they are stepped before the next outside
     *     event
     */
    public EffectPerformer(
            Ports ports,
            PageStatistics statistics,
            LongSupplier nanoTime,
            Consumer<Event> results) {
        this.ports = ports;
        this.statistics = statistics;
        this.nanoTime = nanoTime;
        this.results = results;
    }

    /**
     * Performs the effects of a step in order. Merges consecutive effects of one kind into one
     * batch call: accesses of neighbouring pages, images and diffs of any pages. Also merges the
     * installation of a page with the access that follows.
     *
     * @param from index of the first effect
     * @param to index after the last
     */
    public void performAll(List<Effect> effects, int from, int to) {
        int at = from;
        while (at < to) {
            Effect effect = effects.get(at);
            int count = 1;
            while (at + count < to && continues(effect, count, effects.get(at + count))) {
                count++;
            }
            if (count == 1) {
                perform(withAccess(effects, at, to));
            } else {
                perform(effects.subList(at, at + count));
            }
            at += count;
        }
    }

    private static boolean continues(Effect first, int count, Effect next) {
        // usually different; the patterns below take longer
        if (first.getClass() != next.getClass()) {
            return false;
        }
        return switch (first) {
            case SetAccess(var mapping, var page, var access) ->
                    next instanceof SetAccess(var same, var other, var alike)
                            && same.equals(mapping)
                            && alike == access
                            && page.isBefore(other, count);
            case Discard(var page) ->
                    next instanceof Discard(var other) && page.isBefore(other, count);
            case ResumeFault(var mapping, var page, var access) ->
                    next instanceof ResumeFault(var same, var other, var alike)
                            && same.equals(mapping)
                            && alike == access
                            && page.isBefore(other, count);
            case SaveDiff(_, long interval, boolean keepTwin) ->
                    next instanceof SaveDiff(_, long same, boolean alike)
                            && same == interval
                            && alike == keepTwin;
            case ApplyDiff _ -> true;
            case InstallPage(var mapping, _, _, var access) ->
                    next instanceof InstallPage(var same, _, _, var alike)
                            && same.equals(mapping)
                            && alike == access;
            default -> false;
        };
    }

    /**
     * The effect at this index; an installation is merged with the access that the page gets next.
     */
    private static Effect withAccess(List<Effect> effects, int at, int to) {
        Effect effect = effects.get(at);
        return effect instanceof InstallPage(var mapping, var page, var image, var access)
                        && access == PageAccess.NONE
                        && at + 1 < to
                        && effects.get(at + 1)
                                instanceof ResumeFault(var same, var next, var opened)
                        && same.equals(mapping)
                        && next.equals(page)
                ? new InstallPage(mapping, page, image, opened)
                : effect;
    }

    /** Performs effects that continue the first in one batch. */
    private void perform(List<Effect> run) {
        switch (run.getFirst()) {
            case SetAccess(var mapping, var first, var access) ->
                    ports.pages().setAccess(mapping, first, run.size(), access);
            case Discard(var first) -> ports.pages().discard(first, run.size());
            case ResumeFault(var mapping, var first, var access) ->
                    ports.pages().resume(mapping, first, run.size(), access);
            case SaveDiff(_, long interval, boolean keepTwin) -> saveDiffs(run, interval, keepTwin);
            case ApplyDiff _ -> applyDiffs(run);
            case InstallPage(var mapping, _, _, var access) -> install(mapping, run, access);
            default -> throw new IllegalStateException("several at once: " + run);
        }
    }

    private void install(MappingId mapping, List<Effect> run, PageAccess access) {
        List<PageId> pages = new ArrayList<>(run.size());
        List<Payload> images = new ArrayList<>(run.size());
        run.forEach(effect -> {
            pages.add(((InstallPage) effect).page());
            images.add(((InstallPage) effect).image());
        });
        ports.pages().install(mapping, pages, images, access);
        pages.forEach(statistics::onInstalled);
    }

    private void saveDiffs(List<Effect> run, long interval, boolean keepTwin) {
        List<PageId> pages = new ArrayList<>(run.size());
        run.forEach(effect -> pages.add(((SaveDiff) effect).page()));
        List<Pages.DiffSize> sizes = ports.pages().saveDiffs(pages, interval, keepTwin);
        for (int i = 0; i < pages.size(); i++) {
            diffSaved(pages.get(i), interval, sizes.get(i));
        }
    }

    private void noteStores(NoteStores note) {
        MemorySegment diff = ports.pages().bytes(new Payload.SavedDiff(note.page(), note.saved()));
        BitSet granules = stores.note(note.region(), note.page(), note.interval(), diff);
        results.accept(new Event.StoresRead(note.page(), note.by(), note.interval(), granules));
    }

    private void findRaces(FindRaces find) {
        MemorySegment diff = ports.pages().bytes(find.diff());
        List<Race> races =
                stores.races(find.region(), find.page(), diff, find.known(), ports.pages());
        if (!races.isEmpty()) {
            results.accept(new Event.RacesFound(find.page(), find.from(), races));
        }
        BitSet granules = OwnStores.granules(find.region(), diff);
        results.accept(new Event.StoresRead(find.page(), find.from(), find.interval(), granules));
    }

    private void diffSaved(PageId page, long interval, Pages.DiffSize size) {
        statistics.onDiffSaved(page, size.granules(), size.kept());
        results.accept(
                new Event.DiffSaved(page, interval, size.granules(), size.bytes(), size.kept()));
    }

    private void applyDiffs(List<Effect> run) {
        List<PageId> pages = new ArrayList<>(run.size());
        List<Payload> diffs = new ArrayList<>(run.size());
        run.forEach(effect -> {
            pages.add(((ApplyDiff) effect).page());
            diffs.add(((ApplyDiff) effect).diff());
        });
        List<Integer> overlaps = ports.pages().applyDiffs(pages, diffs);
        ports.tracer().count(NodeCounter.DIFFS_APPLIED, pages.size());
        for (int i = 0; i < pages.size(); i++) {
            statistics.onDiffApplied(pages.get(i), overlaps.get(i));
        }
    }

    private void perform(Effect effect) {
        Pages pages = ports.pages();
        switch (effect) {
            case Send(var to, var message) ->
                    statistics.onSent(message, ports.transport().send(to, message));
            case SetAccess(var mapping, var page, var access) ->
                    pages.setAccess(mapping, page, access);
            case Withdraw(var mapping, var first, int count) ->
                    pages.withdraw(mapping, first, count);
            case InstallPage(var mapping, var page, var image, var access) -> {
                pages.install(mapping, page, image, access);
                statistics.onInstalled(page);
            }
            case MergePage(var page, var image) -> {
                pages.merge(page, image);
                statistics.onInstalled(page);
            }
            case Discard(var page) -> pages.discard(page);
            case Poison(var page) -> pages.poison(page);
            case MakeTwin(var page) -> {
                pages.makeTwin(page);
                statistics.onTwinMade(page);
            }
            case DropTwin(var page) -> {
                pages.dropTwin(page);
                statistics.onTwinDropped(page);
            }
            case SaveDiff(var page, long interval, boolean keepTwin) ->
                    diffSaved(page, interval, pages.saveDiff(page, interval, keepTwin));
            case DropDiff(var page, long interval) -> {
                pages.dropDiff(page, interval);
                statistics.onDiffDropped(page);
            }
            case KeepDiff(var page, long keep, var diff) -> pages.keepDiff(page, keep, diff);
            case DropKept(var page, long keep) -> pages.dropKept(page, keep);
            case ApplyDiff(var page, var diff) -> {
                ports.tracer().count(NodeCounter.DIFFS_APPLIED, 1);
                statistics.onDiffApplied(page, pages.applyDiff(page, diff));
            }
            case NoteStores note -> noteStores(note);
            case FindRaces find -> findRaces(find);
            case ReportRace(var page, int offset, var text, boolean isCertain) ->
                    ports.run().raceFound(page, offset, text, isCertain);
            case ResumeFault(var mapping, var page, var access) ->
                    pages.resume(mapping, page, access);
            case ResumeWaiter(var waiter, var outcome) -> ports.waiters().resume(waiter, outcome);
            case ArmTimer(var timer, long delayNanos) -> ports.timers().arm(timer, delayNanos);
            case WatchThreads(var timer, var threads) -> {
                if (ports.timers().watch(timer, threads)) {
                    results.accept(new Event.TimerFired(timer, nanoTime.getAsLong()));
                }
            }
            case CancelTimer(var timer) -> ports.timers().cancel(timer);
            case OfWords about -> perform(about, ports.locks());
            case OfRemote about -> results.accept(result(about, ports.remotes()));
            case UsePool(var user, var call) -> perform(user, call, ports.pool());
            case FailRun(var reason) -> ports.run().failRun(reason);
        }
    }

    private static Event result(OfRemote effect, RemoteMemory words) {
        return switch (effect) {
            case PerformRemote(var from, long number, var operations) ->
                    new Event.RemotePerformed(from, number, words.perform(operations));
            case TestRemote(var from, long number, var condition) ->
                    new Event.ConditionTested(from, number, words.holds(condition));
        };
    }

    private void perform(Protocol user, PoolCall call, PoolMemory pool) {
        switch (call) {
            case PoolCall.Offer(var first, int count) -> pool.offer(first, count);
            case PoolCall.Fill(var page) -> pool.fill(page);
            case PoolCall.Enter(var page) ->
                    poolDone(user, new PoolResult.Entered(page, pool.enter(page)));
            case PoolCall.Publish(var stores) -> {
                List<PageId> unsafe = new ArrayList<>();
                for (PoolCall.Stores each : stores) {
                    if (publish(each, pool)) {
                        unsafe.add(each.page());
                    }
                }
                poolDone(user, new PoolResult.Published(stores, unsafe));
            }
            case PoolCall.TakeMapped() -> poolDone(user, new PoolResult.Mapped(pool.takeMapped()));
            case PoolCall.TakeList() -> poolDone(user, new PoolResult.Listed(pool.takeList()));
            case PoolCall.Check(var pages) ->
                    poolDone(
                            user,
                            new PoolResult.Checked(pages.stream().filter(pool::check).toList()));
            case PoolCall.Leave(var pages) -> pool.leave(pages);
            case PoolCall.Serve(var node, var served) ->
                    serve(served, pool.of(node))
                            .ifPresent(
                                    result -> poolDone(user, new PoolResult.Served(node, result)));
            case PoolCall.Store _, PoolCall.StoreFirst _ ->
                    throw new IllegalStateException("only of other nodes: " + call);
        }
    }

    /** Performs an operation for another node; empty if it has no result. */
    private Optional<PoolResult> serve(PoolCall.Servable call, PoolMemory.Served pool) {
        return switch (call) {
            case PoolCall.Enter(var page) ->
                    Optional.of(
                            new PoolResult.Entered(
                                    page,
                                    pool.enter(page)
                                            ? PoolResult.Entry.UNSAFE
                                            : PoolResult.Entry.SAFE));
            case PoolCall.Store(long number, var stores, boolean announces) -> {
                List<PageId> unsafe = new ArrayList<>();
                for (PoolCall.Received each : stores) {
                    if (!(each.diff() instanceof Payload.None)) { // before others learn of them
                        pool.writeBack(each.page(), ports.pages().bytes(each.diff()));
                    }
                    if (announces && pool.publish(each.page())) {
                        unsafe.add(each.page());
                    }
                }
                yield Optional.of(new PoolResult.Stored(number, unsafe));
            }
            case PoolCall.StoreFirst(long number, var page, var image) -> {
                pool.fill(page, ports.pages().bytes(image));
                yield Optional.of(new PoolResult.Stored(number, List.of()));
            }
            case PoolCall.TakeList() -> Optional.of(new PoolResult.Listed(pool.takeList()));
            case PoolCall.Check(var pages) ->
                    Optional.of(
                            new PoolResult.Checked(pages.stream().filter(pool::check).toList()));
            case PoolCall.Leave(var pages) -> {
                pool.leave(pages);
                yield Optional.empty();
            }
        };
    }

    /** Returns true if the page has become unsafe. */
    private boolean publish(PoolCall.Stores stores, PoolMemory pool) {
        PageId page = stores.page();
        if (stores.areSaved()) { // before other nodes learn of them
            pool.writeBack(page, ports.pages().bytes(new Payload.SavedDiff(page, stores.number())));
        }
        return stores.announces() && pool.publish(page);
    }

    private void poolDone(Protocol user, PoolResult result) {
        results.accept(new Event.PoolDone(user, result, nanoTime.getAsLong()));
    }

    private void perform(OfWords effect, LockWords words) {
        switch (effect) {
            case ReclaimLock(var lock) -> results.accept(words.reclaim(lock));
            case LendLock(var lock, boolean held, boolean wanted) -> words.lend(lock, held, wanted);
            case MarkLock(var lock, var mark) -> words.mark(lock, mark);
            case AdmitReaders(var lock, int count, boolean isOpen, var mark) ->
                    words.admit(lock, count, isOpen, mark);
            case CloseReaders(var lock) -> results.accept(words.close(lock));
            case ViewCovers(var reader, var mark) -> words.covers(reader, mark);
            case WatchReleases() -> words.watchReleases();
        }
    }
}
