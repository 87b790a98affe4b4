package io.muninn.coherence.lazy;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.shared.Comparisons;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * Lazy release consistency without homes: the diffs of a node's stores remain with it. Nodes make a
 * twin at the first store of an interval and save the diff at the release, which sends nothing.
 * Write notices ride on synchronization messages. An acquire withdraws the copies that they make
 * stale; the next access asks the writers, in parallel, for the diffs that the copy lacks, and
 * applies them in an order in which they may have happened.
 *
 * <p>Source: Keleher, Cox, Dwarkadas, Zwaenepoel, "TreadMarks: distributed shared memory on
 * standard workstations and operating systems", 1994, section 2. Departures: a diff is made when
 * its interval ends, not when the first node asks for it; every writer is asked for its own diffs,
 * also one whose diffs another has applied; saved diffs are never collected.
 *
 * <pre>
 *              read fault      write fault           TwinMade        release (1)
 * Absent       ask, →Fetching  ask, →Fetching        impossible      –
 * Fetching     join            join, want store      impossible      –
 * Clean        resume          twin, →Dirty          →Dirty          –
 * Dirty        resume          resume                impossible      diff, →Clean (2)
 * Withdrawing  join            join, want store      list, →Closing  –
 * Closing      join            join, want store      impossible      –
 * Stale        ask, →Fetching  ask, →Fetching        impossible      –
 * Idle         →Clean (3)      twin, →Dirty (3)      impossible      –
 * Initial      resume          resume                impossible      impossible
 *
 *              notice (4)                AccessWithdrawn (5)  Sealed
 * Absent       –                         impossible           –
 * Fetching     – (6)                     impossible           –
 * Clean        withdraw, →Withdrawing    ignore (7)           –
 * Dirty        list, withdraw, →Closing  impossible           –
 * Withdrawing  impossible                →Stale (8)           –
 * Closing      impossible                diff, →Stale (8)     –
 * Stale        –                         impossible           –
 * Idle         –                         impossible           –
 * Initial      impossible                impossible           withdraw, →Clean (7)
 *
 *              ImageRequest  ImageReply    DiffRequest  DiffReply
 * Absent       impossible    impossible    impossible   impossible
 * Fetching     send page     install (9)   send diffs   keep (9)
 * Clean        send page     impossible    send diffs   impossible
 * Dirty        send twin     impossible    send diffs   impossible
 * Withdrawing  send page     impossible    send diffs   impossible
 * Closing      send twin     impossible    defer (10)   impossible
 * Stale        send page     impossible    send diffs   impossible
 * Idle         send zeros    impossible    impossible   impossible
 * Initial      impossible    impossible    impossible   impossible
 *
 * (1) of what leaves the node: dirty pages are protected, compared, and listed in the write notice
 *     of the interval. The diffs are kept
 * (2) →Dirty if a thread's trap is between twin and store
 * (3) before the root's initialization is over: →Initial. Behind a notice: ask, →Fetching
 * (4) an acquire acts on a notice of a diff that the copy does not contain: the page's need grows.
 *     The acquire is performed when the access to all such pages is withdrawn. It waits for a page
 *     that was resumed within the hold time, if the node has several threads
 * (5) if it is refused, because a thread's trap is between twin and store: withdraw again, later
 * (6) an acquire that meets a fetch whose need has grown twice waits for its end
 * (7) threads have no access until they fault
 * (8) ask, →Fetching, where threads wait
 * (9) when nothing is missing: apply the diffs, →Clean or, if a store waits, →Dirty. Otherwise, once
 *     every request is answered: ask for what is missing
 * (10) if it asks for the diff that is about to be made
 *
 * Idle: on the root, a page that no thread has touched; its content is zeros. Initial: on the root,
 * a page that the initialization has touched; threads may store to it and there is no twin. The
 * root never gives up a page, so it can give every node a first copy.
 * </pre>
 *
 * A diff belongs to one interval, whose timestamp orders it, and a page has at most one diff of an
 * interval: a page whose access is withdrawn with a twin ends the interval in which it is listed.
 */
public final class Lazy implements CoherenceProtocol<Msg> {
    /** What threads that stopped at a page wait for. */
    enum Wanted {
        NOTHING,
        LOAD,
        STORE;

        /** One thread more waits, for a store or a load. */
        Wanted join(boolean store) {
            return store || this == STORE ? STORE : LOAD;
        }
    }

    /** A page as this node sees it. */
    sealed interface State {
        State ABSENT = new Absent();
        State STALE = new Stale();
        State IDLE = new Idle();
        State INITIAL = new Initial();

        record Absent() implements State {}

        /**
         * @param growths how often the need has grown since the request
         */
        record Fetching(Wanted wanted, int growths) implements State {}

        /**
         * @param heldUntilNanos an acquire does not withdraw the access before
         */
        record Clean(long heldUntilNanos) implements State {}

        /**
         * @param heldUntilNanos as in {@link Clean}
         */
        record Dirty(long heldUntilNanos) implements State {}

        record Withdrawing(Wanted wanted) implements State {}

        /**
         * As {@link Withdrawing}, and there is a twin.
         *
         * @param interval in which the page is listed
         */
        record Closing(Wanted wanted, long interval) implements State {}

        record Stale() implements State {}

        record Idle() implements State {}

        record Initial() implements State {}
    }

    /** What others may rely on. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.TWINS,
                            Trait.ACQUIRES_INVALIDATE,
                            Trait.KEEPS_DIFFS)
                    .state("Absent", PageAccess.NONE)
                    .state("Fetching", PageAccess.NONE, Mark.ANSWERS, Mark.THREADS_WAIT)
                    .state("Clean", PageAccess.READ, Mark.ANSWERS)
                    .state("Dirty", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.TWIN)
                    .state("Withdrawing", PageAccess.READ, Mark.ANSWERS, Mark.AWAITS_WITHDRAWAL)
                    .state(
                            "Closing",
                            PageAccess.READ_WRITE,
                            Mark.ANSWERS,
                            Mark.AWAITS_WITHDRAWAL,
                            Mark.TWIN)
                    .state("Stale", PageAccess.NONE, Mark.ANSWERS)
                    .state("Idle", PageAccess.NONE, Mark.ANSWERS)
                    .state("Initial", PageAccess.READ_WRITE, Mark.ANSWERS);

    public static final List<Codec<?>> CODECS = LazyMessages.CODECS;

    private final Context context;
    private final OpenInterval interval;
    private final LazyPages pages;
    private final WriteNotices notices;
    private final NoticedPages noticed;
    private final SavedDiffs saved;
    private final Comparisons comparisons = new Comparisons();
    private boolean hasRegions;

    public Lazy(Context context) {
        this.context = context;
        this.interval = new OpenInterval(context.clock());
        this.pages = new LazyPages(context, interval);
        this.notices = new WriteNotices(context);
        this.noticed = new NoticedPages(context, pages, interval, notices, comparisons);
        this.saved = new SavedDiffs(context.clock());
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
        pages.add(region);
        hasRegions = true;
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
        Wanted first = Wanted.NOTHING.join(store);
        switch (entry.state()) {
            case State.Absent() -> pages.fetchImage(entry, first, out);
            case State.Stale() -> pages.fetch(entry, first, out);
            case State.Fetching(Wanted wanted, int growths) ->
                    pages.join(entry, new State.Fetching(wanted.join(store), growths), out);
            case State.Clean(long held) -> pages.open(entry, store, held, out);
            case State.Idle() when !pages.isSealed() -> {
                entry.become(State.INITIAL);
                out.resumeFault(page, PageAccess.READ_WRITE);
            }
            case State.Idle() -> pages.openIdle(entry, store, out);
            case State.Dirty _, State.Initial() -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Withdrawing(Wanted wanted) ->
                    pages.join(entry, new State.Withdrawing(wanted.join(store)), out);
            case State.Closing(Wanted wanted, long listed) ->
                    pages.join(entry, new State.Closing(wanted.join(store), listed), out);
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
            case State.Absent(),
                    State.Fetching _,
                    State.Dirty _,
                    State.Closing _,
                    State.Stale(),
                    State.Idle(),
                    State.Initial() ->
                    throw new ProtocolViolation(entry, "TwinMade");
        }
    }

    @Override
    public void onSealed(Effects out) {
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

    /** Protects, then compares: in this order no store is lost between the two. */
    private void closeDirty(Effects out) {
        if (!interval.isDirty()) {
            return;
        }
        out.count(NodeCounter.FLUSHES);
        List<PageId> stored = interval.takeDirty();
        for (PageId page : stored) { // neighbours are protected in one step
            DirectoryEntry<State> entry = pages.entry(page);
            if (!(entry.state() instanceof State.Dirty(long held))) {
                throw new ProtocolViolation(entry, "release");
            }
            entry.become(new State.Clean(held));
            out.setAccess(page, PageAccess.READ);
        }
        for (PageId page : stored) {
            comparisons.begin(page, context.clock().interval(), out);
        }
    }

    @Override
    public void onIntervalEnd(Effects out) {
        if (interval.end(notices)) {
            saved.onIntervalEnd();
        }
    }

    @Override
    public void onDiffSaved(Event.DiffSaved made, Effects out) {
        PageId page = made.page();
        DirectoryEntry<State> entry = pages.entry(page);
        out.count(made.granules() > 0 ? NodeCounter.DIFFS_MADE : NodeCounter.DIFFS_EMPTY);
        entry.applied(entry.applied().with(context.self(), made.interval()));
        saved.add(page, made.interval(), made.bytes(), out);
        switch (entry.state()) {
            case State.Clean(long held) when made.kept() -> {
                entry.become(new State.Dirty(held));
                interval.storedTo(page);
            }
            case State.Clean _ -> out.dropTwin(page);
            case State.Closing _ -> {
                out.dropTwin(page);
                noticed.onClosed(entry, out);
            }
            default -> throw new ProtocolViolation(entry, made);
        }
        comparisons.ended(out);
    }

    // cargo

    @Override
    public boolean usesTimestamps() {
        return hasRegions;
    }

    @Override
    public Bytes onLockRequest(LockId lock, Effects out) {
        return hasRegions ? notices.request() : Bytes.EMPTY;
    }

    @Override
    public Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return request.length() == 0 ? Bytes.EMPTY : notices.forGrant(to, request);
    }

    @Override
    public Bytes onSend(NodeId to, Effects out) {
        return hasRegions ? notices.forMessage(to) : Bytes.EMPTY;
    }

    @Override
    public void onDeposited(NodeId from, Bytes cargo, Effects out) {
        notices.deposit(from, cargo);
    }

    // acquires

    @Override
    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        noticed.onAcquire(acquire, until, out);
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        if (timer instanceof TimerId.HoldOver(PageId page)) {
            noticed.onHoldOver(page, out);
        }
    }

    @Override
    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        noticed.onAccessWithdrawn(withdrawn, out);
    }

    // messages

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case ImageRequest request -> onImageRequest(from, request, out);
            case ImageReply reply -> onImageReply(reply, out);
            case DiffRequest request -> saved.onDiffRequest(from, request, out);
            case DiffReply reply -> onDiffReply(from, reply, out);
        }
    }

    private void onImageReply(ImageReply reply, Effects out) {
        PageId page = reply.page();
        DirectoryEntry<State> entry = pages.entry(page);
        ProtocolViolation.check(entry.state() instanceof State.Fetching, entry, reply);
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(page, reply.image(), PageAccess.NONE);
        entry.applied(reply.applied());
        if (pages.request(entry, out)) {
            openFetched(entry, out);
        }
    }

    private void onDiffReply(NodeId from, DiffReply reply, Effects out) {
        DirectoryEntry<State> entry = pages.entry(reply.page());
        ProtocolViolation.check(entry.state() instanceof State.Fetching, entry, reply);
        if (pages.onDiffReply(from, entry, reply, out)) {
            openFetched(entry, out);
        }
    }

    /** Nothing is missing: threads go on. */
    private void openFetched(DirectoryEntry<State> entry, Effects out) {
        if (!(entry.state() instanceof State.Fetching(Wanted wanted, int _))) {
            throw new ProtocolViolation(entry, "fetched");
        }
        pages.applyFetched(entry, out);
        pages.open(entry, wanted == Wanted.STORE, heldUntilNanos(), out);
        noticed.onFetched(entry.page(), out);
    }

    /** A single thread cannot be robbed by an acquire, since it makes all of them itself. */
    private long heldUntilNanos() {
        return context.threads() > 1 ? context.nowNanos() + context.holdNanos() : 0;
    }

    private void onImageRequest(NodeId from, ImageRequest request, Effects out) {
        PageId page = request.page();
        DirectoryEntry<State> entry = pages.entry(page);
        Payload image =
                switch (entry.state()) {
                    case State.Idle() -> Payload.ZERO_PAGE;
                    case State.Clean _, State.Withdrawing _, State.Stale(), State.Fetching _ ->
                            new Payload.PageImage(page);
                    case State.Dirty _, State.Closing _ -> new Payload.TwinImage(page);
                    case State.Absent(), State.Initial() ->
                            throw new ProtocolViolation(entry, request);
                };
        out.count(NodeCounter.PAGES_SENT);
        out.send(from, new ImageReply(page, entry.applied(), image));
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        pages.poisonWaiting(out);
    }
}
