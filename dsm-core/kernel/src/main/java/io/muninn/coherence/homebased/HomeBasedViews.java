package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBasedMessages.Copy;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionReply;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.RefusedPages;
import io.muninn.coherence.shared.Wanted;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Home-based release consistency on nodes of several processes, each of which has a view: the
 * intervals whose write notices its acquires have processed. The processes share the copy of a
 * page, its twin and its diffs. A notice withdraws a page from the acquiring process only; the
 * others use it until an acquire of their own. Stores of a process are visible to its siblings at
 * once, and so is content that one of them has fetched.
 *
 * <p>A process whose view the copy does not satisfy fetches the page when it accesses it. Under
 * {@link io.muninn.spi.Views#MERGING} the image is merged with the stores of the processes since
 * the twin, and those whose view the copy satisfies use the page meanwhile. Under {@link
 * io.muninn.spi.Views#TAKING} the page is taken from all processes, its diff is sent, and the image
 * is installed.
 *
 * <p>Source: home-based lazy release consistency for SMP nodes by Bilas, Iftode, Samanta, Singh,
 * "Supporting a coherent shared address space across SMP nodes", sections 2 and 3.2.2, where
 * fetches take pages and merging is named.
 *
 * <pre>
 * As HomeBased, but:
 *
 *                  read fault           write fault
 * Clean            resume or fetch (30) twin or fetch (30)
 * Dirty            resume or fetch (30) resume or fetch (30)
 * CleanAsked       resume or wait (30)  twin or wait (30)
 * DirtyAsked       resume or wait (30)  resume or wait (30)
 * Idle             as before or (31)    as before or (31)
 * HomeClean        resume or wait (32)  →HomeDirty or wait
 * HomeDirty        resume or wait (32)  resume or wait (32)
 * HomeStale        impossible           impossible
 *
 *                  notice (33)          AccessWithdrawn (34)
 * Clean            withdraw (35)        resume or fetch (30)
 * Dirty            withdraw (35)        resume or fetch (30)
 * CleanAsked       withdraw (35)        resume or wait (30)
 * DirtyAsked       withdraw (35)        resume or wait (30)
 * Fetching                              note (38)
 * Ahead                                 note (38)
 * Withdrawing      wait (36)
 * Closing          wait (36)
 * Idle             withdraw (31)        wait for access
 * HomeClean        withdraw (35)        resume or wait (32)
 * HomeDirty        withdraw (35)        resume or wait (32)
 * HomeWithdrawing  wait (36)            →HomeClean
 * HomeStale        impossible
 *
 *                  TwinMade             release               VersionReply
 * CleanAsked       →DirtyAsked          –                     merge (37)
 * DirtyAsked       impossible           diff, →CleanAsked (2) merge (37)
 * HomeStale                             impossible
 *
 *                  BaseReply            BaseRequest           VersionRequest
 * CleanAsked       impossible           impossible            forward (16)
 * DirtyAsked       impossible           impossible            forward (16)
 * HomeStale                                                   impossible
 *
 *                  HomeFlush            HomeGrant (19)        Sealed
 * Ahead                                 impossible (39)
 * Stale                                 impossible (39)
 * CleanAsked       forward (16)         →HomeClean            –
 * DirtyAsked       forward (16)         drop twin, →HomeDirty –
 * HomeStale        impossible
 *
 * (30) if the copy satisfies the view of the process: as before, for the threads of this process
 *      only. If not, the threads wait and the page is fetched. Merging: ask, →CleanAsked or
 *      →DirtyAsked. Taking: withdraw from all processes, Clean: →Withdrawing, Dirty: list,
 *      →Closing; but not before the acquires that withdraw the page have ended and the hold time is
 *      over. If two images in a row lacked stores that were released after their requests, merging
 *      takes the page, too
 * (31) as before; at the home, if the page does not satisfy the view: fill, →HomeClean
 * (32) the threads of a process whose view the page does not satisfy wait for flushes
 * (33) an acquire of a process, or a collection, processes a notice of a flush that the copy does
 *      not contain: the need of this process grows
 * (34) of one process, for an acquire; of all of them, for a fetch that takes the page
 * (35) from the acquiring process
 * (36) the page is taken for a fetch: the notice is processed after it
 * (37) →Clean or →Dirty, and resume the processes whose views the copy satisfies now. If a need has
 *      grown meanwhile, or a flush of this node has been sent: as (30)
 * (38) of an Idle page, which is requested meanwhile for another process
 * (39) a page with a claim or a flush under way has been requested by a thread, or is present. It
 *     is taken only for threads that wait, which request it at once
 * </pre>
 */
public final class HomeBasedViews extends HomeBased {
    private final ViewedPages viewed;
    private final List<NoticedPages> views = new ArrayList<>(); // by process
    private final RefusedPages refused = new RefusedPages(); // to be taken again

    public HomeBasedViews(Context context) {
        super(context, ViewedPages::new);
        this.viewed = (ViewedPages) pages;
        for (MappingId of : context.threads().allProcesses()) {
            ViewedCopies copiesOf = new ViewedCopies(context, viewed, of);
            views.add(new NoticedPages(context, of, copiesOf, notices));
        }
    }

    @Override
    public String describe(PageId page) {
        return super.describe(page) + viewed.describe(page);
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = pages.peek(page);
        PageSnapshot all = super.snapshot(page);
        return new PageSnapshot(
                page,
                all.state() + (viewed.isAsked(page) ? "Asked" : ""),
                all.probableOwner(),
                all.copies(),
                processes(of -> !pages.isCurrent(entry, of)),
                processes(of -> viewed.isLeaving(page, of)));
    }

    private List<MappingId> processes(Predicate<MappingId> which) {
        return context.threads().allProcesses().stream().filter(which).toList();
    }

    // faults

    @Override
    void open(DirectoryEntry<State> entry, boolean store, Effects out) {
        PageId page = entry.page();
        MappingId of = out.process();
        switch (entry.state()) {
            case State.Idle() when !pages.isSealed() -> {
                entry.become(State.INITIAL);
                out.resumeFault(of, page, PageAccess.READ_WRITE);
            }
            case State.Initial() -> out.resumeFault(of, page, PageAccess.READ_WRITE);
            case State.Idle() when pages.isHome(page) -> {
                if (pages.isCurrent(entry, of)) {
                    pages.openHome(entry, of, store, out);
                } else {
                    HomeServer.fillWithZeros(entry, out);
                    viewed.await(page, of, store);
                }
            }
            case State.Idle() when pages.isCurrent(entry, of) ->
                    pages.open(entry, of, store, 0, out);
            case State.Idle() -> {
                viewed.await(page, of, store);
                pages.ask(entry, Wanted.NOTHING.join(store), out);
            }
            case State.Clean _, State.Dirty _, State.HomeClean(), State.HomeDirty() -> {
                if (context.isRunOver() && !viewed.isOpenTo(entry, of)) {
                    out.poison(page);
                } else {
                    viewed.await(page, of, store);
                    pages.readmit(entry, out);
                }
            }
            default -> {
                viewed.await(page, of, store);
                super.open(entry, store, out);
            }
        }
    }

    /** An image that lacks what was released since its request is requested again, or taken. */
    @Override
    void merge(
            NodeId from, DirectoryEntry<State> entry, Copy copy, VersionReply reply, Effects out) {
        PageId page = entry.page();
        ProtocolViolation.check(viewed.isAsked(page), entry, reply);
        boolean isCurrent = copy.version().covers(pages.need(page));
        viewed.answered(page, isCurrent);
        if (isCurrent) {
            out.count(NodeCounter.PAGES_FETCHED);
            out.mergePage(page, copy.image());
            entry.applied(copy.version());
            pages.found(entry, from);
            long heldUntilNanos = context.nowNanos() + context.holdNanos();
            boolean isDirty = entry.state() instanceof State.Dirty;
            entry.become(
                    isDirty ? new State.Dirty(heldUntilNanos) : new State.Clean(heldUntilNanos));
        }
        pages.readmit(entry, out);
    }

    @Override
    void fetched(PageId page, Effects out) {
        views.forEach(view -> view.onFetched(page, out));
    }

    /** A fetch has withdrawn the page, and no acquire waits for it. */
    @Override
    void closed(Effects out) {}

    // acquires

    /** Performed when all processes that act on it have performed it. */
    @Override
    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        List<MappingId> processes = acquire.processes(context.threads());
        Consumer<Effects> performed = each -> each.acquirePerformed(acquire);
        if (processes.isEmpty()) {
            performed.accept(out);
            return;
        }
        Consumer<Effects> part = lastOf(processes.size(), performed);
        processes.forEach(of -> views.get(of.index()).onAcquire(until, part, out));
    }

    /** Runs an action when it has been called a number of times. */
    private static Consumer<Effects> lastOf(int times, Consumer<Effects> action) {
        int[] left = {times};
        return out -> {
            left[0]--;
            if (left[0] == 0) {
                action.accept(out);
            }
        };
    }

    @Override
    public void onAcquirePerformed(Effects out) {
        views.forEach(view -> view.onAcquirePerformed(out));
    }

    @Override
    public void onCollect(long number, VectorTimestamp upTo, Effects out) {
        Consumer<Effects> part = lastOf(views.size(), each -> each.collectPerformed(number));
        views.forEach(view -> view.onCollect(upTo, part, out));
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        if (timer instanceof TimerId.HoldOver(PageId page)) {
            if (refused.isDue(page)) {
                out.withdraw(page, 1);
            }
            views.forEach(view -> view.onHoldOver(page, out));
            pages.readmit(pages.entry(page), out);
        }
    }

    @Override
    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        if (!withdrawn.mapping().equals(MappingId.ALL)) {
            views.get(withdrawn.mapping().index()).onAccessWithdrawn(withdrawn, out);
            return;
        }
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            if (withdrawn.refused().contains(page)) {
                refused.refused(page, out);
            } else {
                refused.withdrawn(page);
                boolean isHome = pages.entry(page).state() instanceof State.HomeWithdrawing;
                copies.isSettled(page, out);
                if (isHome) {
                    fetched(page, out);
                }
            }
        }
    }
}
