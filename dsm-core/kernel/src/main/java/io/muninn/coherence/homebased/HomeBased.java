package io.muninn.coherence.homebased;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseReply;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseRequest;
import io.muninn.coherence.homebased.HomeBasedMessages.Copy;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushAck;
import io.muninn.coherence.homebased.HomeBasedMessages.GrantedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFound;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeGrant;
import io.muninn.coherence.homebased.HomeBasedMessages.Msg;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionReply;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.coherence.shared.Comparisons;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.NoticedProtocol;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * Home-based release consistency: each page has a home, a node whose copy is always complete. Other
 * nodes make a twin at the first store of an interval and send the diff to the home at the release,
 * which does not wait for it; the home stores in place. Write notices are carried by
 * synchronization messages. An acquire withdraws the copies that they make stale. The next access
 * fetches the page from its home, which replies when it has applied the flushes that the request
 * names.
 *
 * <p>Source: home-based lazy release consistency, as described by Bilas, Iftode, Samanta, Singh,
 * "Supporting a coherent shared address space across SMP nodes", sections 2 and 3.2.1. Departure:
 * the root has initialized every page, so a home requests the first content of its pages from the
 * root.
 *
 * <pre>
 *                  read fault          write fault           TwinMade           release (1)
 * Absent           ask, →Fetching      ask, →Fetching (13)   impossible         –
 * Fetching         join                join, want store      impossible         –
 * Ahead (14)       →Fetching           →Fetching             impossible         –
 * Clean            resume              twin, →Dirty          →Dirty             –
 * Dirty            resume              resume                impossible         diff, →Clean (2)
 * Withdrawing      join                join, want store      list, →Closing     –
 * Closing          join                join, want store      impossible         –
 * Stale            ask, →Fetching      ask, →Fetching        impossible         –
 * Idle             →Clean (3)          twin, →Dirty (3)      impossible         –
 * Initial          resume              resume                impossible         impossible
 * Unfilled         ask root, →Filling  ask root, →Filling    impossible         –
 * Filling          join                join, want store      impossible         –
 * HomeClean        resume              →HomeDirty (15)       →HomeDirty (15)    –
 * HomeDirty        resume              resume                impossible         list (20)
 * HomeWithdrawing  join                join, want store      note (15)          –
 * HomeStale        join                join, want store      impossible         –
 *
 *                  notice (4)                  AccessWithdrawn (5)  VersionReply  BaseReply
 * Absent           –                           impossible           impossible    impossible
 * Fetching (6)     –                           impossible           install (7)   impossible
 * Ahead            –                           impossible           install (14)  impossible
 * Clean            withdraw, →Withdrawing      ignore (10)          impossible    impossible
 * Dirty            list, withdraw, →Closing    impossible           impossible    impossible
 * Withdrawing      impossible                  →Stale (8)           impossible    impossible
 * Closing          impossible                  diff, →Stale (8)     impossible    impossible
 * Stale            –                           impossible           impossible    impossible
 * Idle             withdraw (3)                impossible           impossible    impossible
 * Initial          impossible                  impossible           impossible    impossible
 * Unfilled         –                           impossible           impossible    impossible
 * Filling          –                           impossible           impossible    install (9)
 * HomeClean        withdraw, →HomeWithdrawing  ignore (10)          impossible    impossible
 * HomeDirty        withdraw, →HomeWithdrawing  impossible           impossible    impossible
 * HomeWithdrawing  impossible                  →HomeStale (9)       impossible    impossible
 * HomeStale        –                           impossible           impossible    impossible
 *
 *                  VersionRequest   BaseRequest  HomeFlush              Sealed
 * Absent           impossible       impossible   impossible             –
 * Fetching         forward (16)     impossible   forward (16)           –
 * Ahead            forward (16)     impossible   forward (16)           –
 * Clean            forward (16)     send page    forward (16)           –
 * Dirty            forward (16)     send twin    forward (16)           –
 * Withdrawing      forward (16)     impossible   forward (16)           –
 * Closing          forward (16)     impossible   forward (16)           –
 * Stale            forward (16)     impossible   forward (16)           –
 * Idle             send page (17)   send page    fill, →HomeClean (17)  –
 * Initial          impossible       impossible   impossible             withdraw, →HomeClean (10)
 * Unfilled         ask root, defer  impossible   note (11)              –
 * Filling          defer            impossible   note (11)              –
 * HomeClean        send page (12)   impossible   apply (18)             –
 * HomeDirty        send page (12)   impossible   apply                  –
 * HomeWithdrawing  send page (12)   impossible   apply (18)             –
 * HomeStale        send page (12)   impossible   apply (9)              –
 *
 *                  HomeGrant (19)
 * Absent           impossible
 * Fetching         install, →HomeClean (9)
 * Ahead            →HomeClean (9)
 * Clean            →HomeClean
 * Dirty            drop twin, →HomeDirty
 * Withdrawing      →HomeWithdrawing
 * Closing          drop twin, →HomeWithdrawing
 * Stale            →HomeClean (9)
 * Idle             impossible
 * Initial          impossible
 * Unfilled         impossible
 * Filling          impossible
 * HomeClean        impossible
 * HomeDirty        impossible
 * HomeWithdrawing  impossible
 * HomeStale        impossible
 *
 * (1) a release that leaves the node: dirty pages are protected, compared, and listed in the write
 *     notice of the interval. The diff of another home's page is sent to that home, also if it is
 *     empty, because the version of the page must follow the notice
 * (2) →Dirty if a thread's trap is between twin and store. If an acquire withdraws the page before
 *     the result of the comparison: Withdrawing; →Closing if a thread's trap is there
 * (3) at the home: →HomeClean, →HomeDirty, →HomeWithdrawing. Before the end of the root's
 *     initialization: →Initial. A notice does not change another home's page; threads that fault
 *     after one: ask, →Fetching
 * (4) an acquire or a collection processes a notice of a flush that the copy does not contain: the
 *     page's need grows. The acquire is performed when the access to all such pages is withdrawn.
 *     It waits for a page that was resumed within the hold time, while a thread of the node runs
 * (5) if it is refused, because a thread's trap is between twin and store: withdraw again, later
 * (6) an acquire that meets a fetch whose need has grown twice waits for the end of the fetch
 * (7) →Clean, →Dirty if a store waits. If the need has grown meanwhile: ask again
 * (8) if threads wait: ask, →Fetching
 * (9) if the home has applied everything that the page's notices announce: →HomeClean or, if a
 *     store waits, →HomeDirty, and resume; otherwise →HomeStale
 * (10) of another home: →Clean. Threads have no access until they fault
 * (11) the image of the root contains it: only the root can have stored to such a page
 * (12) when the home has applied everything that the request needs; deferred until then. The image
 *     of a dirty home may contain stores of its open interval, which will be listed. As (17) on the
 *     root
 * (13) under Home.FIRST_TOUCH, if this node knows of no home but the root: the request claims the
 *     page
 * (14) requested by {@link ReadAhead} or a prefetch, and no thread waits. →Clean, without access:
 *     the first access shows that it is used. If the need has grown since: not installed, →Stale
 * (15) the page is listed by each release, and when a withdrawal of its access is done: threads may
 *     store to it until then. The first store to a page whose home is undecided makes the root its
 *     home
 * (16) on the root, if the first store has made another node the home: to that node, unless it is
 *     the sender. Impossible elsewhere
 * (17) on the root, if the home is undecided: a claim, or the flush of a first store, makes the
 *     sender the home, →Idle. If another node is the home: as (16)
 * (18) as (17), but →Clean, →Withdrawing, →Stale
 * (19) the root has decided that this node is the home. A page that it claimed is installed. The
 *     copy contains this node's own flushes, and lacks nothing else
 * (20) protect, →HomeClean; but a page that was stored to in several consecutive intervals stays
 *     HomeDirty for some releases, whether threads store to it or not
 *
 * Idle: on the root, a page that no thread has accessed; its content is zeros. Initial: on the
 * root, a page that the initialization has accessed; threads may store to it and there is no twin.
 * In a cluster of one node the initialization never ends.
 * Unfilled: at another home, the page before its content is requested from the root.
 * </pre>
 *
 * A flush belongs to an interval that has ended, and a page is in at most one flush of an interval:
 * a page whose access is withdrawn with a twin ends the interval in which it is listed.
 */
public class HomeBased extends NoticedProtocol<Msg> {
    /** A page as this node sees it. */
    sealed interface State {
        State ABSENT = new Absent();
        State STALE = new Stale();
        State IDLE = new Idle();
        State INITIAL = new Initial();
        State UNFILLED = new Unfilled();
        State HOME_CLEAN = new HomeClean();
        State HOME_DIRTY = new HomeDirty();

        record Absent() implements State {}

        /**
         * @param growths number of times that the need has grown since the request
         */
        record Fetching(Wanted wanted, int growths) implements State {}

        /**
         * @param outdated the need has grown since the request
         */
        record Ahead(boolean outdated) implements State {}

        /**
         * @param heldUntilNanos an acquire does not withdraw the access before this time
         */
        record Clean(long heldUntilNanos) implements State {}

        /**
         * @param heldUntilNanos as in {@link Clean}
         */
        record Dirty(long heldUntilNanos) implements State {}

        record Withdrawing(Wanted wanted) implements State {}

        /**
         * As {@link Withdrawing}, with a twin.
         *
         * @param interval in which the page is listed
         */
        record Closing(Wanted wanted, long interval) implements State {}

        record Stale() implements State {}

        record Idle() implements State {}

        record Initial() implements State {}

        record Unfilled() implements State {}

        record Filling(Wanted wanted) implements State {}

        record HomeClean() implements State {}

        record HomeDirty() implements State {}

        record HomeWithdrawing(Wanted wanted) implements State {}

        record HomeStale(Wanted wanted) implements State {}
    }

    public static final List<Codec<?>> CODECS = HomeBasedMessages.CODECS;

    final HomedPages pages;
    final HomedCopies copies;
    private final NoticedPages noticed;
    final HomeServer server;
    private final HomedAhead ahead;
    private final OutgoingFlushes outgoing;
    private final Comparisons comparisons = new Comparisons();

    public HomeBased(Context context) {
        this(context, HomedPages::new);
    }

    /** The pages of a node, made from its open interval. */
    interface Pages {
        HomedPages of(Context context, OpenInterval interval);
    }

    HomeBased(Context context, Pages making) {
        super(context, WriteNotices.Order.NONE);
        this.pages = making.of(context, interval);
        this.copies = new HomedCopies(context, pages, interval, comparisons);
        this.noticed = new NoticedPages(context, copies, notices);
        this.server = new HomeServer(context, pages);
        this.ahead = new HomedAhead(context, pages, server);
        this.outgoing = new OutgoingFlushes(context.self(), context.updates().limits());
    }

    @Override
    protected NoticedPages noticed() {
        return noticed;
    }

    @Override
    public String describe(PageId page) {
        return pages.peek(page) + " need=" + pages.need(page).last();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = pages.peek(page);
        return entry.snapshot(entry.state().getClass().getSimpleName());
    }

    @Override
    public void onRegionAdded(RegionSpec region) {
        super.onRegionAdded(region);
        pages.add(region);
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
        State before = entry.state();
        open(entry, store, out);
        ahead.onFault(entry.page(), before, out); // after the requests of the fault itself
    }

    void open(DirectoryEntry<State> entry, boolean store, Effects out) {
        PageId page = entry.page();
        Wanted first = Wanted.NOTHING.join(store);
        switch (entry.state()) {
            case State.Absent(), State.Stale() -> pages.ask(entry, first, out);
            case State.Fetching(Wanted wanted, int growths) ->
                    pages.join(entry, new State.Fetching(wanted.join(store), growths), out);
            case State.Ahead(boolean outdated) ->
                    pages.join(entry, new State.Fetching(first, outdated ? 1 : 0), out);
            case State.Clean(long held) -> pages.open(entry, out.mapping(), store, held, out);
            case State.Idle() when !pages.isSealed() -> {
                entry.become(State.INITIAL);
                out.resumeFault(page, PageAccess.READ_WRITE);
            }
            case State.Idle() when pages.isHome(page) ->
                    pages.openHome(entry, out.mapping(), store, out);
            case State.Idle() when pages.isCurrent(entry) ->
                    pages.open(entry, out.mapping(), store, 0, out);
            case State.Idle() -> pages.ask(entry, first, out);
            case State.HomeClean() -> pages.openHome(entry, out.mapping(), store, out);
            case State.Dirty _, State.Initial(), State.HomeDirty() ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Withdrawing(Wanted wanted) ->
                    pages.join(entry, new State.Withdrawing(wanted.join(store)), out);
            case State.Closing(Wanted wanted, long listed) ->
                    pages.join(entry, new State.Closing(wanted.join(store), listed), out);
            case State.Unfilled() -> server.fill(entry, first, out);
            case State.Filling(Wanted wanted) ->
                    pages.join(entry, new State.Filling(wanted.join(store)), out);
            case State.HomeWithdrawing(Wanted wanted) ->
                    pages.join(entry, new State.HomeWithdrawing(wanted.join(store)), out);
            case State.HomeStale(Wanted wanted) ->
                    pages.join(entry, new State.HomeStale(wanted.join(store)), out);
        }
    }

    @Override
    public void onTwinMade(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Clean(long held) -> pages.becomeDirty(entry, held, out);
            case State.Withdrawing(Wanted wanted) -> {
                interval.list(page);
                entry.become(new State.Closing(wanted, context.clock().interval()));
                out.count(NodeCounter.TWINS_MADE);
            }
            case State.HomeClean() -> {
                pages.becomeHomeDirty(entry);
                out.dropTwin(page);
                out.setAccess(page, PageAccess.READ_WRITE);
            }
            case State.HomeWithdrawing _ -> {
                pages.storedToHome(page);
                out.dropTwin(page);
            }
            case State.Absent(),
                    State.Fetching _,
                    State.Ahead _,
                    State.Dirty _,
                    State.Closing _,
                    State.Stale(),
                    State.Idle(),
                    State.Initial(),
                    State.Unfilled(),
                    State.Filling _,
                    State.HomeDirty(),
                    State.HomeStale _ ->
                    throw new ProtocolViolation(entry, "TwinMade");
        }
    }

    /** Called when a page has been fetched: acquires may have waited for that. */
    void fetched(PageId page, Effects out) {
        noticed.onFetched(page, out);
    }

    /** Called when the stores to a page that is withdrawn have been saved. */
    void closed(Effects out) {
        noticed.settled(out);
    }

    @Override
    protected void seal(Effects out) {
        pages.seal(out);
    }

    // releases

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        if (!(leaving instanceof GatedRelease.Elapsed)) {
            closeDirty(out);
        }
        comparisons.await(leaving, out);
    }

    /** Protects the pages before it compares them, so that no store is lost between the two. */
    private void closeDirty(Effects out) {
        if (!interval.isDirty()) {
            return;
        }
        out.count(NodeCounter.FLUSHES);
        List<PageId> compared = new ArrayList<>();
        for (PageId page : interval.takeDirty(out)) { // neighbours are protected in one step
            DirectoryEntry<State> entry = pages.entry(page);
            switch (entry.state()) {
                case State.Dirty(long held) -> {
                    entry.become(new State.Clean(held));
                    out.setAccess(page, PageAccess.READ);
                    compared.add(page);
                }
                case State.HomeDirty() -> pages.closeHome(entry, out);
                // threads may still store to it
                case State.HomeWithdrawing _ -> interval.storedTo(page);
                default -> throw new ProtocolViolation(entry, "release");
            }
        }
        for (PageId page : compared) {
            comparisons.begin(page, context.clock().interval(), out);
        }
    }

    @Override
    public void onDiffSaved(Event.DiffSaved saved, Effects out) {
        PageId page = saved.page();
        DirectoryEntry<State> entry = pages.entry(page);
        out.count(saved.granules() > 0 ? NodeCounter.DIFFS_MADE : NodeCounter.DIFFS_EMPTY);
        outgoing.add(entry.probableOwner(), page, saved.interval(), saved.bytes());
        pages.flushed(entry, saved.interval());
        switch (entry.state()) {
            case State.Clean(long held) when saved.kept() -> {
                entry.become(new State.Dirty(held));
                interval.storedTo(page);
            }
            case State.Clean _ -> out.dropTwin(page);
            case State.Withdrawing(Wanted wanted) when saved.kept() -> {
                interval.list(page);
                entry.become(new State.Closing(wanted, context.clock().interval()));
            }
            case State.Withdrawing _ -> out.dropTwin(page);
            case State.Closing _ -> {
                out.dropTwin(page);
                copies.close(entry, out);
                closed(out);
            }
            default -> throw new ProtocolViolation(entry, saved);
        }
        if (comparisons.isLast()) {
            outgoing.send(out);
        }
        comparisons.ended(out);
    }

    // prefetches

    @Override
    public void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        ahead.onPrefetch(first, count, out); // a store needs the same copy
    }

    // messages

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case VersionRequest request -> server.onVersionRequest(request, out);
            case VersionReply reply -> {
                for (Copy copy : reply.copies()) {
                    onCopy(from, copy, reply, out);
                }
            }
            case BaseRequest request -> onBaseRequest(from, request, out);
            case BaseReply reply -> server.onBaseReply(reply, out);
            case HomeFlush flush -> server.onHomeFlush(from, flush, out);
            case FlushAck() -> outgoing.acknowledged(from, out);
            case HomeGrant grant -> {
                for (GrantedPage granted : grant.granted()) {
                    server.onGranted(granted, grant, out);
                    fetched(granted.page(), out);
                }
            }
            case HomeFound found -> pages.found(from, found);
        }
    }

    private void onCopy(NodeId from, Copy copy, VersionReply reply, Effects out) {
        PageId page = copy.page();
        DirectoryEntry<State> entry = pages.entry(page);
        boolean isCurrent = copy.version().covers(pages.need(page));
        switch (entry.state()) {
            case State.Fetching(Wanted wanted, int _) when isCurrent -> {
                install(from, entry, copy, out);
                long heldUntilNanos = context.nowNanos() + context.holdNanos();
                pages.admit(entry, wanted, heldUntilNanos, out);
                fetched(page, out);
            }
            case State.Fetching(Wanted _, int growths) -> {
                ProtocolViolation.check(growths > 0, entry, reply);
                pages.request(entry, false, out);
            }
            case State.Ahead _ when isCurrent -> {
                install(from, entry, copy, out);
                entry.become(new State.Clean(0));
            }
            case State.Ahead(boolean outdated) -> {
                ProtocolViolation.check(outdated, entry, reply);
                ahead.lost(entry, out);
            }
            default -> merge(from, entry, copy, reply, out);
        }
    }

    /** Handles an image of a page that this node has. */
    void merge(
            NodeId from, DirectoryEntry<State> entry, Copy copy, VersionReply reply, Effects out) {
        throw new ProtocolViolation(entry, reply);
    }

    private void install(NodeId from, DirectoryEntry<State> entry, Copy copy, Effects out) {
        out.count(NodeCounter.PAGES_FETCHED);
        out.discard(entry.page());
        out.installPage(entry.page(), copy.image(), PageAccess.NONE);
        entry.applied(copy.version());
        pages.found(entry, from);
    }

    private void onBaseRequest(NodeId from, BaseRequest request, Effects out) {
        PageId page = request.page();
        DirectoryEntry<State> entry = pages.entry(page);
        ProtocolViolation.check(entry.isOwnedBy(from), entry, request);
        Payload image = switch (entry.state()) { // no node stores to it before its home has it
                    case State.Idle(), State.Clean _ -> new Payload.PageImage(page);
                    case State.Dirty _ -> new Payload.TwinImage(page);
                    default -> throw new ProtocolViolation(entry, request);
                };
        out.count(NodeCounter.PAGES_SENT);
        out.send(from, new BaseReply(page, image));
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        pages.poisonWaiting(out);
    }
}
