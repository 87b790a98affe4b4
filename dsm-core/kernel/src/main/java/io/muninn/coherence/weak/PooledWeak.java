package io.muninn.coherence.weak;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.weak.Weak.State;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.ContentReply;
import io.muninn.coherence.weak.WeakMessages.ContentRequest;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Fill;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListPost;
import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.ListRequest;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.Notices;
import io.muninn.coherence.weak.WeakMessages.NoticesAck;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * Weak pages whose frames, map and weak lists are in memory that the nodes of a host address: a
 * page is in the pool of the host of its home. The nodes of that host follow the rules of {@link
 * Weak} without messages. A thread that faults at an absent page enters it by itself, and copies
 * its frame; the node hears of it afterwards. The home of a page uses its frame in place. For a
 * node of another host, the page is far: the first node of the page's host performs its operations
 * ({@link HostsPool}, {@link PoolServer}), and its threads do not enter the page themselves.
 *
 * <p>Source: as {@link Weak}. Departure: a node copies a frame as a whole, because the hardware
 * does not fetch single lines of it coherently.
 *
 * <pre>
 *              read fault       write fault       PageEntered (1)  TwinMade       release (2)
 * Absent       enter, →Mapping  enter, →Mapping   →Clean           impossible     –
 * Mapping      join             join, want store  →Clean (3)       impossible     –
 * Clean        resume           twin, →Dirty (4)  impossible       →Dirty (4)     –
 * Dirty        resume           resume            impossible       impossible     diff, →Clean (5)
 * Withdrawing  join             join, want store  impossible       →Closing (4)   –
 * Closing      join             join, want store  impossible       impossible     –
 * Idle         →HomeSole (13)   →HomeSole (13)    impossible       impossible     –
 * Initial      resume           resume            impossible       impossible     impossible
 * Filling      join             join, want store  impossible       impossible     –
 * HomeSole     resume           resume            impossible       impossible     – (14)
 * HomeClean    resume (13)      →HomeDirty (13)   impossible       →HomeDirty (4)  –
 * HomeDirty    resume           resume            impossible       impossible     publish (15)
 *
 *              notice (6)              AccessWithdrawn (7)  entered      Sealed
 * Absent       note (8)                impossible           impossible   –
 * Mapping      note (8)                impossible           install (9)  –
 * Clean        withdraw, →Withdrawing  impossible           impossible   –
 * Dirty        withdraw, →Closing      impossible           impossible   –
 * Withdrawing  –                       leave, →Absent (11)  impossible   –
 * Closing      –                       diff, leave (11)     impossible   –
 * Idle         – (16)                  impossible           impossible   – (12)
 * Initial      impossible              impossible           impossible   →Withdrawing (10)
 * Filling      –                       impossible           impossible   –
 * HomeSole     – (16)                  impossible           impossible   –
 * HomeClean    – (16)                  impossible           impossible   –
 * HomeDirty    – (16)                  impossible           impossible   –
 *
 *              EnterReply (17)  UnsafePages (17)  EnterRequest (18)  Publish (18)
 * Absent       impossible       ignore (19)       enter, copy        store, publish
 * Mapping      install (9)      ignore (19)       enter, copy        store, publish
 * Clean        impossible       check (20)        enter, copy        store, publish
 * Dirty        impossible       check (20)        enter, copy        store, publish
 * Withdrawing  impossible       ignore (19)       enter, copy        store, publish
 * Closing      impossible       ignore (19)       enter, copy        store, publish
 * Idle         impossible       impossible        enter, copy        store, publish
 * Initial      impossible       impossible        impossible         impossible
 * Filling      impossible       impossible        impossible         impossible
 * HomeSole     impossible       impossible        enter, copy        store, publish
 * HomeClean    impossible       impossible        enter, copy        store, publish
 * HomeDirty    impossible       impossible        enter, copy        store, publish
 *
 *              CheckRequest (18)  Leave (18)  Fill (18)
 * Absent       check              leave       store
 * Mapping      check              leave       impossible
 * Clean        check              leave       impossible
 * Dirty        check              leave       impossible
 * Withdrawing  check              leave       impossible
 * Closing      check              leave       impossible
 * Idle         check              leave       store
 * Initial      impossible         impossible  impossible
 * Filling      impossible         impossible  impossible
 * HomeSole     check              leave       impossible
 * HomeClean    check              leave       impossible
 * HomeDirty    check              leave       impossible
 *
 *              prefetch
 * Absent       enter, →Mapping (21)
 * Mapping      –
 * Clean        –
 * Dirty        –
 * Withdrawing  –
 * Closing      –
 * Idle         –
 * Initial      –
 * Filling      –
 * HomeSole     –
 * HomeClean    –
 * HomeDirty    –
 *
 * (1) the copy was made after the thread had entered the page, and before this event or soon after
 * (2) a release that leaves the node: dirty pages are protected and compared. Diffs that are not
 *     empty are written back to the frames, which then are published. It is performed when that is
 *     done for all earlier publications, too; those of pages that an acquire is discarding included
 * (3) threads that wait continue; one that stores faults again
 * (4) with immediate transitions the first store since the page was entered is published
 * (5) →Dirty if a thread's trap is between twin and store, or the page was stored to in several
 *     intervals ({@link KeptTwins}): then the compared content becomes its twin. If an acquire
 *     discards the page before the result of the comparison: Withdrawing; →Closing if it is Dirty
 * (6) an acquire acts on a page of one of the node's weak lists, or one that a check has found to
 *     be old. The node has a list in the pool of each host. It takes that of its own host at once,
 *     asks for the others, and acts when it has all. Entries by traps until the list was taken are
 *     stepped before. The acquire is performed when the copies of all such pages are discarded. It
 *     waits for a page that was resumed within the hold time, while a thread of the node runs
 * (7) if it is refused, because a thread's trap is about to give access: withdraw again, later
 * (8) a copy that a trap is about to make will have the stores of the notice. But the trap entered
 *     the page before it, and no publisher sends another: with immediate transitions, or if the
 *     page has become unsafe. So after PageEntered the next acquire discards the copy. Of a far
 *     page: ignore, because it was requested after the list
 * (9) →Clean, →Dirty if a store waits. If a trap of this node is entering the page, or has, its
 *     PageEntered follows instead
 * (10) at the home: →HomeSole
 * (11) traps may enter the page again, unless it is far. If threads wait: enter, →Mapping. Behind
 *     Sealed, the root's content becomes that of the frame before it is discarded, and the root
 *     does not leave. Of a far page: send, →Filling; the acknowledgement says that it is there.
 *     Until then the initialization has not ended, and no other node uses the pages
 * (12) a page that no event has named is Absent from then on, except at its home
 * (13) before the end of the root's initialization: →Initial. At the home: →HomeSole, unless others
 *     map the page: →HomeClean, →HomeDirty
 * (14) before anything else a release learns which frames of this node others have entered since
 *     the last one: their pages become HomeDirty. A copy of any other has all stores so far, or a
 *     notice, so they need no publication
 * (15) →HomeClean; →HomeSole without a publication, if nobody has entered the page since the last
 *     one. A page that was stored to before several consecutive releases stays HomeDirty for some
 *     of the next, whether threads store to it or not
 * (16) a home sees all stores to its frames; a publisher may be on its own list
 * (17) about a far page
 * (18) of a node of another host, about a page of this one, on whose first node it arrives. The
 *     operation is performed at once; the state of the page on this node does not matter
 * (19) a copy that was discarded since, or will be, needs no checks
 * (20) at each acquire from now on
 * (21) for no thread. The copy is installed without access, and →Clean; it is not held
 *
 * Idle: at the home, a page that its threads have not accessed; on the root before the end of its
 * initialization, any such page. The frame may have stores of other nodes.
 * HomeSole: at the home, a page of which no other node has a copy without a notice, as far as the
 * home knows.
 * Initial: on the root, a page that the initialization has accessed; threads may store to it and
 * there is no twin. In a cluster of one node the initialization never ends.
 * Filling: on the root, a far page whose first content is on its way to the frame.
 * Mapping: from the request to enter a page until its result.
 * </pre>
 *
 * <p>The absent pages of a region that are not far are offered to traps at the first fault there,
 * and on the root when the initialization ends.
 */
public final class PooledWeak implements CoherenceProtocol<Msg> {
    private final Context context;
    private final WeakPages pages;
    private final List<RegionSpec> added = new ArrayList<>(); // not offered to traps
    private final HostsPool pool;
    private final PoolServer server;
    private final Publications publications = new Publications();
    private final WeakStores stores;
    private final WeakAcquires acquires;

    public PooledWeak(Context context) {
        this.context = context;
        this.pages = WeakPages.pooled(context);
        this.pool = new HostsPool(context, pages, new PoolResults());
        this.server = new PoolServer(context, pages);
        this.stores = new WeakStores(context, pages, pool, publications);
        this.acquires = new WeakAcquires(context, pages, stores, pool, this::enter);
    }

    @Override
    public String describe(PageId page) {
        return pages.peek(page).toString();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = pages.peek(page);
        return entry.snapshot(entry.state().getClass().getSimpleName());
    }

    @Override
    public void onRegionAdded(RegionSpec region) {
        pages.add(region);
        added.add(region);
    }

    /** Offers the absent pages of new regions to traps, once for each region. */
    private void offer(Effects out) {
        if (added.isEmpty() || context.self().isRoot() && !pages.isSealed()) {
            return;
        }
        for (RegionSpec region : added) {
            int first = 0;
            for (int i = 0; i <= region.pages(); i++) {
                boolean isOffered = i < region.pages() && isOffered(new PageId(region.index(), i));
                if (!isOffered) {
                    if (i > first) {
                        pool.offer(new PageId(region.index(), first), i - first, out);
                    }
                    first = i + 1;
                }
            }
        }
        added.clear();
    }

    private boolean isOffered(PageId page) {
        return pages.isNear(page) && pages.peek(page).state() instanceof State.Absent;
    }

    // faults

    @Override
    public void onReadFault(PageId page, Effects out) {
        onFault(pages.entry(page), false, out);
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        onFault(pages.entry(page), true, out);
    }

    private void onFault(DirectoryEntry<State> entry, boolean store, Effects out) {
        offer(out);
        pages.used(entry, out);
        switch (entry.state()) {
            case State.Absent() -> enter(entry, Wanted.NOTHING.join(store), out);
            case State.Mapping(Wanted wanted, Overtaken overtaken, int retries) ->
                    pages.join(
                            entry, new State.Mapping(wanted.join(store), overtaken, retries), out);
            case State.Clean(long held) -> stores.open(entry, store, held, out);
            case State.Idle() when pages.isInitializing() -> {
                entry.become(State.INITIAL);
                out.resumeFault(entry.page(), PageAccess.READ_WRITE);
            }
            case State.Idle(), State.HomeClean() -> stores.openHome(entry, store, out);
            case State.Dirty _, State.Initial(), State.HomeDirty(), State.HomeSole() ->
                    out.resumeFault(entry.page(), PageAccess.READ_WRITE);
            case State.Withdrawing(Wanted wanted) ->
                    pages.join(entry, new State.Withdrawing(wanted.join(store)), out);
            case State.Closing(Wanted wanted, long number) ->
                    pages.join(entry, new State.Closing(wanted.join(store), number), out);
            case State.Filling(Wanted wanted) ->
                    pages.join(entry, new State.Filling(wanted.join(store)), out);
            case State.Unfilled() -> throw new ProtocolViolation(entry, "fault");
        }
    }

    @Override
    public void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        offer(out);
        pages.prefetch(first, count, this::prefetch, out); // a store needs the same copy
    }

    private boolean prefetch(DirectoryEntry<State> entry, Effects out) {
        boolean isAbsent = entry.state() instanceof State.Absent;
        if (isAbsent) {
            enter(entry, Wanted.NOTHING, out);
        }
        return isAbsent;
    }

    /** Enters a page for the threads that wait for it. */
    private void enter(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Mapping(wanted, Overtaken.NO, 0));
        pool.enter(entry.page(), out);
    }

    @Override
    public void onPageEntered(PageId page, boolean isChecked, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Absent() -> entry.become(new State.Clean(0));
            case State.Mapping(var wanted, var _, int _) -> {
                pages.used(entry, out);
                entry.become(new State.Clean(holdEnd()));
                if (wanted != Wanted.NOTHING) {
                    out.resumeFault(page, PageAccess.READ);
                }
            }
            default -> throw new ProtocolViolation(entry, "PageEntered");
        }
        if (pages.noticed().remove(page)) {
            acquires.noticeAgain(page);
        }
        entered(page, isChecked, out);
    }

    private long holdEnd() {
        return context.nowNanos() + context.holdNanos();
    }

    private void entered(PageId page, boolean isChecked, Effects out) {
        out.count(NodeCounter.PAGES_FETCHED);
        if (isChecked) {
            pages.checked().add(page);
        }
    }

    @Override
    public void onTwinMade(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Clean(long held) -> stores.becomeDirty(entry, held, out);
            case State.Withdrawing(Wanted wanted) -> {
                out.count(NodeCounter.TWINS_MADE);
                stores.becomeClosing(entry, wanted, out);
            }
            case State.HomeClean() -> stores.becomeHomeDirtyByTrap(entry, out);
            default -> throw new ProtocolViolation(entry, "TwinMade");
        }
    }

    // synchronization

    /** Ends the initialization, except in a cluster of one node, whose stores nobody needs. */
    @Override
    public void onSealed(Effects out) {
        if (context.nodes() > 1) {
            pages.seal(out);
            offer(out);
        }
    }

    @Override
    public boolean isSealing() {
        return pool.isFilling();
    }

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        stores.onRelease(leaving, out);
    }

    @Override
    public void onDiffSaved(Event.DiffSaved saved, Effects out) {
        if (stores.onDiffSaved(saved, out)) {
            acquires.onPublished(out);
        }
    }

    @Override
    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        acquires.onAcquire(acquire, out);
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        if (timer instanceof TimerId.HoldOver(var page)) {
            acquires.onHoldOver(page, out);
        }
    }

    @Override
    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        if (pages.sealing().contains(withdrawn.first())) {
            onInitialWithdrawn(withdrawn, out);
        } else {
            acquires.onAccessWithdrawn(withdrawn, out);
        }
    }

    /** The content of pages becomes that of their frames, and the root has no copy of them. */
    private void onInitialWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            DirectoryEntry<State> entry = pages.entry(page);
            if (withdrawn.refused().contains(page)) {
                acquires.onRefused(page, out);
                continue;
            }
            if (!(entry.state() instanceof State.Withdrawing(Wanted wanted))) {
                throw new ProtocolViolation(entry, withdrawn);
            }
            acquires.onNotRefused(page);
            pages.sealing().remove(page);
            entry.become(new State.Filling(wanted));
            pool.fill(page, out);
        }
    }

    private final class PoolResults implements Pool.Results {
        @Override
        public void entered(
                PageId page, boolean isChecked, boolean isListed, Payload image, Effects out) {
            DirectoryEntry<State> entry = pages.entry(page);
            if (!(entry.state() instanceof State.Mapping(var wanted, var _, int _))) {
                throw new ProtocolViolation(entry, "entered");
            }
            pages.noticed().remove(page); // it was entered after that
            PooledWeak.this.entered(page, isChecked, out);
            out.installPage(page, image, PageAccess.NONE);
            stores.install(entry, wanted, holdEnd(), out);
        }

        @Override
        public void filled(PageId page, Effects out) {
            DirectoryEntry<State> entry = pages.entry(page);
            if (!(entry.state() instanceof State.Filling(Wanted wanted))) {
                throw new ProtocolViolation(entry, "filled");
            }
            out.discard(page);
            entry.become(State.ABSENT);
            if (pages.isNear(page)) {
                pool.offer(page, 1, out);
            }
            if (wanted != Wanted.NOTHING) {
                enter(entry, wanted, out);
            }
        }

        @Override
        public void mapped(List<PageId> entered, Effects out) {
            stores.onMapped(entered, out);
        }

        @Override
        public void published(long number, Effects out) {
            publications.done(number, out);
        }

        @Override
        public void listTaken(List<PageId> weak, Effects out) {
            acquires.onListTaken(weak, out);
        }

        @Override
        public void checked(List<PageId> stale, Effects out) {
            acquires.onChecked(stale, out);
        }
    }

    @Override
    public void onPoolDone(PoolResult result, Effects out) {
        if (result instanceof PoolResult.Served(NodeId node, var served)) {
            server.onDone(node, served, out);
        } else {
            pool.onDone(result, out);
        }
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case EnterRequest request -> server.onEnterRequest(from, request, out);
            case Publish publish -> server.onPublish(from, publish, out);
            case Fill fill -> server.onFill(from, fill, out);
            case CheckRequest request -> server.onCheckRequest(from, request, out);
            case Leave leave -> server.onLeave(from, leave, out);
            case ListRequest _ -> server.onListRequest(from, out);
            case EnterReply reply -> pool.onEnterReply(reply, out);
            case PublishAck ack -> pool.onPublishAck(from, ack, out);
            case UnsafePages notices -> pool.onUnsafe(notices);
            case CheckReply reply -> pool.onCheckReply(reply, out);
            case ListReply reply -> pool.onListReply(reply, out);
            case ContentRequest _, ContentReply _, Notices _, NoticesAck _, ListPost _ ->
                    throw new ProtocolViolation(
                            "node=" + from + " event=" + message + ": of pages with homes");
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        pages.poisonWaiting(out);
    }
}
