package io.muninn.coherence.weak;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Wanted;
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
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * Weak pages: each page has a frame at its home, and the home knows which nodes map it. A release
 * writes the stores of its node to the frames and publishes them: mappers of these pages get
 * notices on their weak lists, and the release waits until they are there. An acquire discards the
 * copies of the pages on its node's list. A page that is published often is unsafe: its
 * publications send no notices, and acquires of its mappers ask the home.
 *
 * <p>Source: Kontothanassis and Scott, "Software Cache Coherence for Large Scale Multiprocessors",
 * section 2. Departures: nodes copy a page as a whole and find their stores by a twin, because
 * memory of another node is reached by messages ({@link HomesPool}); a write-protected page finds
 * the stores of an interval, also with delayed transitions; an immediate transition does not delay
 * its store, but the next release. The map's own are listed at {@link io.muninn.pool.CoherentMap}.
 *
 * <pre>
 *              read fault          write fault         TwinMade        release (1)
 * Absent       enter, →Mapping     enter, →Mapping     impossible      –
 * Mapping      join                join, want store    impossible      –
 * Clean        resume              twin, →Dirty (2)    →Dirty (2)      –
 * Dirty        resume              resume              impossible      diff, →Clean (3)
 * Withdrawing  join                join, want store    →Closing (2)    –
 * Closing      join                join, want store    impossible      –
 * Idle         →Clean (4)          twin, →Dirty (4)    impossible      –
 * Initial      resume              resume              impossible      impossible
 * Unfilled     ask root, →Filling  ask root, →Filling  impossible      –
 * Filling      join                join, want store    impossible      –
 * HomeClean    resume              →HomeDirty (2)      →HomeDirty (2)  –
 * HomeDirty    resume              resume              impossible      publish, →HomeClean (18)
 *
 *              notice (5)              AccessWithdrawn (6)  EnterReply   ContentReply
 * Absent       –                       impossible           impossible   impossible
 * Mapping      overtaken (7)           impossible           install (8)  impossible
 * Clean        withdraw, →Withdrawing  ignore (9)           impossible   impossible
 * Dirty        withdraw, →Closing      impossible           impossible   impossible
 * Withdrawing  –                       leave, →Absent (10)  impossible   impossible
 * Closing      –                       diff, leave (10)     impossible   impossible
 * Idle         –                       impossible           impossible   impossible
 * Initial      impossible              impossible           impossible   impossible
 * Unfilled     –                       impossible           impossible   impossible
 * Filling      –                       impossible           impossible   install (11)
 * HomeClean    –                       ignore (9)           impossible   impossible
 * HomeDirty    –                       impossible           impossible   impossible
 *
 *              EnterRequest     ContentRequest      Publish                Sealed
 * Absent       impossible       impossible          impossible             –
 * Mapping      impossible       impossible          impossible             –
 * Clean        impossible       send page           impossible             –
 * Dirty        impossible       send twin           impossible             –
 * Withdrawing  impossible       impossible          impossible             –
 * Closing      impossible       impossible          impossible             –
 * Idle         send page (12)   send page, →Absent  fill, →HomeClean (12)  –
 * Initial      impossible       impossible          impossible             withdraw, →HomeClean (9)
 * Unfilled     ask root, defer  impossible          note (13)              –
 * Filling      defer            impossible          note (13)              –
 * HomeClean    send page (14)   impossible          apply (15)             –
 * HomeDirty    send page (14)   impossible          apply (15)             –
 *
 *              Notices      UnsafePages  CheckRequest  Leave       prefetch
 * Absent       ignore (16)  ignore (16)  impossible    impossible  enter, →Mapping (19)
 * Mapping      ignore (16)  ignore (16)  impossible    impossible  –
 * Clean        list         check (17)   impossible    impossible  –
 * Dirty        list         check (17)   impossible    impossible  –
 * Withdrawing  ignore (16)  ignore (16)  impossible    impossible  –
 * Closing      ignore (16)  ignore (16)  impossible    impossible  –
 * Idle         impossible   impossible   impossible    impossible  –
 * Initial      impossible   impossible   impossible    impossible  –
 * Unfilled     impossible   impossible   impossible    impossible  ask root, →Filling
 * Filling      impossible   impossible   impossible    impossible  –
 * HomeClean    impossible   impossible   reply         remove      –
 * HomeDirty    impossible   impossible   reply         remove      –
 *
 * (1) a release that leaves the node: dirty pages are protected and compared, and the diffs that
 *     are not empty sent to the homes. It is performed when the homes have acknowledged them, and
 *     all earlier publications of the node; those of pages that an acquire is discarding, too
 * (2) with immediate transitions the first store since the page was entered is announced
 * (3) →Dirty if a thread's trap is between twin and store, or the page was stored to in several
 *     intervals ({@link KeptTwins}): then the compared content becomes its twin. If an acquire
 *     discards the page before the result of the comparison: Withdrawing; →Closing if it is Dirty
 * (4) at the home: →HomeClean, →HomeDirty. Before the end of the root's initialization: →Initial
 * (5) an acquire acts on a page of the weak list, or one that a check has found to be old. It is
 *     performed when the copies of all such pages are discarded. It waits for a page that was
 *     resumed within the hold time, while a thread of the node runs. The centralized list has pages
 *     that other nodes map
 * (6) if it is refused, because a thread's trap is between twin and store: withdraw again, later
 * (7) the page is entered again when the copy arrives. Each acquire overtakes a copy that turns out
 *     to be on the list, or to need checks. An acquire that meets a page entered again twice waits
 *     for the copy, and discards it after the hold time
 * (8) →Clean, →Dirty if a store waits. An overtaken copy: not installed, enter again
 * (9) Sealed of another home's page: →Clean. Threads have no access until they fault
 * (10) if threads wait: enter, →Mapping
 * (11) →HomeClean or, if a store waits, →HomeDirty. Deferred requests are answered
 * (12) at the home only
 * (13) the image of the root contains it: only the root can have stored to such a page
 * (14) the sender is a mapper before the image is copied. The image of a dirty home may contain
 *     stores of its open interval, which it will publish
 * (15) before the mappers get notices
 * (16) the copy is gone or will be discarded, or it is newer: a home sends the image that it has
 *     copied before a publication before the notice of it
 * (17) at each acquire from now on
 * (18) a page that was stored to before several consecutive releases stays HomeDirty for some of
 *     the next, which publish it, whether threads have stored to it or not ({@link KeptTwins})
 * (19) for no thread. The copy is installed without access, and →Clean; it is not held
 *
 * Idle: on the root, a page that no thread has accessed; its content is zeros. Initial: on the
 * root, a page that the initialization has accessed; threads may store to it and there is no twin.
 * In a cluster of one node the initialization never ends.
 * Unfilled: at another home, the page before its content is requested from the root. The root is a
 * mapper of such a page if it has accessed it.
 * </pre>
 *
 * A home uses its frame in place. It publishes its stores, and never needs a notice.
 */
public final class Weak implements CoherenceProtocol<Msg> {
    /** A page as this node sees it. */
    sealed interface State {
        State ABSENT = new Absent();
        State IDLE = new Idle();
        State INITIAL = new Initial();
        State UNFILLED = new Unfilled();
        State HOME_CLEAN = new HomeClean();
        State HOME_DIRTY = new HomeDirty();
        State HOME_SOLE = new HomeSole();

        record Absent() implements State {}

        /**
         * @param retries number of times that the page was entered again, because an acquire had
         *     overtaken the copy
         */
        record Mapping(Wanted wanted, Overtaken overtaken, int retries) implements State {}

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
         * @param number of the publication of its stores
         */
        record Closing(Wanted wanted, long number) implements State {}

        record Idle() implements State {}

        record Initial() implements State {}

        record Unfilled() implements State {}

        record Filling(Wanted wanted) implements State {}

        record HomeClean() implements State {}

        record HomeDirty() implements State {}

        /** Only of {@link PooledWeak}. */
        record HomeSole() implements State {}
    }

    public static final List<Codec<?>> CODECS = WeakMessages.CODECS;

    private final Context context;
    private final WeakPages pages;
    private final MapServer server;
    private final HomesPool pool;
    private final Publications publications = new Publications();
    private final WeakStores stores;
    private final WeakAcquires acquires;

    public Weak(Context context) {
        this.context = context;
        this.pages = new WeakPages(context);
        this.server = new MapServer(context, pages);
        this.pool = new HomesPool(context, pages, server, new PoolResults());
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
        server.add(region);
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
        PageId page = entry.page();
        pages.used(entry, out);
        Wanted first = Wanted.NOTHING.join(store);
        switch (entry.state()) {
            case State.Absent() -> enter(entry, first, out);
            case State.Mapping(Wanted wanted, Overtaken overtaken, int retries) ->
                    pages.join(
                            entry, new State.Mapping(wanted.join(store), overtaken, retries), out);
            case State.Clean(long held) -> stores.open(entry, store, held, out);
            case State.Idle() when !pages.isSealed() -> {
                entry.become(State.INITIAL);
                out.resumeFault(page, PageAccess.READ_WRITE);
            }
            case State.Idle() when pages.isHome(page) -> stores.openHome(entry, store, out);
            case State.Idle() -> stores.open(entry, store, 0, out);
            case State.HomeClean() -> stores.openHome(entry, store, out);
            case State.Dirty _, State.Initial(), State.HomeDirty() ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Withdrawing(Wanted wanted) ->
                    pages.join(entry, new State.Withdrawing(wanted.join(store)), out);
            case State.Closing(Wanted wanted, long number) ->
                    pages.join(entry, new State.Closing(wanted.join(store), number), out);
            case State.Unfilled() -> fill(entry, first, out);
            case State.Filling(Wanted wanted) ->
                    pages.join(entry, new State.Filling(wanted.join(store)), out);
            case State.HomeSole() -> throw new ProtocolViolation(entry, "fault");
        }
    }

    @Override
    public void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        pages.prefetch(first, count, this::prefetch, out); // a store needs the same copy
    }

    private boolean prefetch(DirectoryEntry<State> entry, Effects out) {
        switch (entry.state()) {
            case State.Absent() -> enter(entry, Wanted.NOTHING, out);
            case State.Unfilled() -> fill(entry, Wanted.NOTHING, out);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Enters a page for the threads that wait for it. */
    private void enter(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Mapping(wanted, Overtaken.NO, 0));
        pages.mapping().add(entry.page());
        pool.enter(entry.page(), out);
    }

    /** Requests the first content of a frame from the root. */
    private void fill(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Filling(wanted));
        out.send(NodeId.ROOT, new ContentRequest(entry.page()));
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
            case State.Absent(),
                    State.Mapping _,
                    State.Dirty _,
                    State.Closing _,
                    State.Idle(),
                    State.Initial(),
                    State.Unfilled(),
                    State.Filling _,
                    State.HomeDirty(),
                    State.HomeSole() ->
                    throw new ProtocolViolation(entry, "TwinMade");
        }
    }

    // synchronization

    /** Ends the initialization, except in a cluster of one node, whose stores nobody needs. */
    @Override
    public void onSealed(Effects out) {
        if (context.nodes() > 1) {
            pages.seal(out);
        }
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
        acquires.onAccessWithdrawn(withdrawn, out);
    }

    private final class PoolResults implements Pool.Results {
        @Override
        public void entered(
                PageId page, boolean isChecked, boolean isListed, Payload image, Effects out) {
            onEntered(page, isChecked, isListed, image, out);
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

    private void onEntered(
            PageId page, boolean isChecked, boolean isListed, Payload image, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        if (!(entry.state() instanceof State.Mapping(var wanted, var overtaken, int retries))) {
            throw new ProtocolViolation(entry, "EnterReply");
        }
        boolean isWeak = isChecked || isListed;
        if (overtaken.isTrue(isWeak)) {
            out.count(NodeCounter.DEAD_IMAGES);
            entry.become(new State.Mapping(wanted, Overtaken.NO, retries + 1));
            pool.enter(page, out);
            return;
        }
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(page, image, PageAccess.NONE);
        pages.mapping().remove(page);
        if (isChecked) {
            pages.checked().add(page);
        }
        stores.install(entry, wanted, context.nowNanos() + context.holdNanos(), out);
        acquires.onEntered(page, isWeak, out);
    }

    // messages

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case EnterRequest request -> onEnterRequest(from, request, out);
            case EnterReply reply -> pool.onEnterReply(reply, out);
            case ContentRequest request -> onContentRequest(from, request, out);
            case ContentReply reply -> onContentReply(reply, out);
            case Publish publish -> server.onPublish(from, publish, out);
            case PublishAck ack -> pool.onPublishAck(from, ack, out);
            case Notices notices -> pool.onNotices(from, notices, out);
            case UnsafePages notices -> pool.onUnsafe(from, notices, out);
            case NoticesAck ack -> server.onNoticesAck(from, ack, out);
            case CheckRequest request -> server.onCheckRequest(from, request, out);
            case CheckReply reply -> pool.onCheckReply(reply, out);
            case Leave leave -> server.onLeave(from, leave);
            case ListPost post -> server.onListPost(from, post, out);
            case ListRequest request -> server.onListRequest(from, request, out);
            case ListReply reply -> pool.onListReply(reply, out);
            case Fill _ ->
                    throw new ProtocolViolation(
                            "node=" + from + " event=" + message + ": of a pool");
        }
    }

    private void onEnterRequest(NodeId from, EnterRequest request, Effects out) {
        DirectoryEntry<State> entry = pages.entry(request.page());
        if (entry.state() instanceof State.Unfilled) {
            fill(entry, Wanted.NOTHING, out);
        }
        server.onEnterRequest(from, request, out);
    }

    private void onContentRequest(NodeId from, ContentRequest request, Effects out) {
        PageId page = request.page();
        DirectoryEntry<State> entry = pages.entry(page);
        ProtocolViolation.check(entry.isOwnedBy(from), entry, request);
        boolean isIdle = entry.state() instanceof State.Idle;
        Payload image = switch (entry.state()) { // no node stores to it before its home has it
                    case State.Idle(), State.Clean _ -> new Payload.PageImage(page);
                    case State.Dirty _ -> new Payload.TwinImage(page);
                    default -> throw new ProtocolViolation(entry, request);
                };
        out.count(NodeCounter.PAGES_SENT);
        out.send(from, new ContentReply(page, !isIdle, image));
        if (isIdle) {
            entry.become(State.ABSENT);
        }
    }

    private void onContentReply(ContentReply reply, Effects out) {
        DirectoryEntry<State> entry = pages.entry(reply.page());
        if (!(entry.state() instanceof State.Filling(Wanted wanted))) {
            throw new ProtocolViolation(entry, reply);
        }
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(reply.page(), reply.image(), PageAccess.NONE);
        entry.become(State.HOME_CLEAN);
        server.filled(reply.page(), reply.maps(), out); // before a store of this node is announced
        if (wanted != Wanted.NOTHING) {
            stores.openHome(entry, wanted == Wanted.STORE, out);
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        pages.poisonWaiting(out);
    }
}
