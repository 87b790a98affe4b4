package io.muninn.coherence.lazy;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.lazy.LazyMessages.CopyReply;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.Push;
import io.muninn.coherence.lazy.LazyMessages.Unread;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.NoticedProtocol;
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
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Codec;
import java.util.ArrayList;
import java.util.List;

/**
 * Lazy release consistency without homes: a node keeps the diffs of its stores. Nodes make a twin
 * at the first store of an interval. A release protects the pages and names them in a write notice;
 * it makes no diff. Write notices are carried by synchronization messages. An acquire withdraws the
 * copies that they make stale. The next access requests, in parallel, the diffs that the copy lacks
 * from their writers, which make them then. The diffs are applied in an order that extends
 * happened-before.
 *
 * <p>Source: Keleher, Cox, Dwarkadas, Zwaenepoel, "TreadMarks: distributed shared memory on
 * standard workstations and operating systems", 1994, section 2. Departures: the root, or the
 * keeper that a collection has chosen, gives every node its first copy of a page; a page that the
 * root has not used since its initialization is handed over to the first requester; traps may make
 * twins; collections need no barrier.
 *
 * <pre>
 *              read fault      write fault         TwinMade        release (1)
 * Absent       ask, →Fetching  ask, →Fetching      impossible      –
 * Fetching     join            join, want store    impossible      –
 * Clean        resume          twin, →Dirty        →Dirty          –
 * Dirty        resume          resume              impossible      list (17)
 * Closed       resume          →Dirty              →Dirty (2)      –
 * Withdrawing  join            join, want store    list, →Closing  –
 * Closing      join            join, want store    ignore (2)      –
 * Stale        ask, →Fetching  ask, →Fetching      impossible      –
 * Ahead (12)   →Fetching (19)  →Fetching (19)      impossible      –
 * Zeros        →Clean (3)      twin, →Dirty (3)    impossible      –
 * Exclusive    resume          resume              impossible      –
 * Idle         →Exclusive (3)  →Exclusive (3)      impossible      –
 * Initial      resume          resume              impossible      impossible
 *
 *              notice (4)                    AccessWithdrawn (5)  Sealed
 * Absent       –                             impossible           –
 * Fetching (6) –                             impossible           –
 * Clean        withdraw, →Withdrawing        ignore (7)           –
 * Dirty        list, withdraw, →Closing      impossible           –
 * Closed       diff, withdraw, →Withdrawing  impossible           –
 * Withdrawing  impossible                    →Stale (8)           –
 * Closing      impossible                    diff, →Stale (8)     –
 * Stale        –                             impossible           –
 * Ahead (12)   – (14)                        impossible           –
 * Zeros        –                             impossible           –
 * Exclusive    impossible                    ignore (7)           –
 * Idle         impossible                    ignore (7)           –
 * Initial      impossible                    impossible           withdraw, →Idle (7)
 *
 *              ImageRequest (13)   ImageReply        DiffRequest (15)         DiffReply
 * Absent       forward             impossible        send diffs               impossible
 * Fetching     send page           install (9) (18)  send diffs               keep (9)
 * Clean        send page           impossible        send diffs               impossible
 * Dirty        send twin (10)      impossible        send diffs (10)          impossible
 * Closed       diff, send, →Clean  impossible        diff, send, →Clean (10)  impossible
 * Withdrawing  send page           impossible        send diffs               impossible
 * Closing      defer (11)          impossible        send diffs (11)          impossible
 * Stale        send page           impossible        send diffs               impossible
 * Ahead (12)   send page           install (18)      send diffs               keep
 * Zeros        impossible          impossible        impossible               impossible
 * Exclusive    send page, →Clean   impossible        impossible               impossible
 * Idle         hand over, →Absent  impossible        impossible               impossible
 * Initial      impossible          impossible        impossible               impossible
 *
 *              CopyReply
 * Absent       impossible
 * Fetching     install (9) (16)
 * Clean        impossible
 * Dirty        impossible
 * Closed       impossible
 * Withdrawing  impossible
 * Closing      impossible
 * Stale        impossible
 * Ahead (12)   install (16)
 * Zeros        impossible
 * Exclusive    impossible
 * Idle         impossible
 * Initial      impossible
 *
 * (1) a release that leaves the node. The page keeps its twin, and no diff is made
 * (2) a thread's trap was between twin and store when the page was protected, and the page has the
 *     twin that it had. The store happened before this event, and may be in the diff
 * (3) before the end of the root's initialization: →Initial. After a notice: ask, →Fetching
 * (4) an acquire processes a notice of a diff that the copy does not contain: it lacks one more.
 *     The acquire is performed when the access to all such pages is withdrawn. It waits for a page
 *     that was resumed within the hold time, while a thread of the node runs
 * (5) if it is refused, because a thread's trap is between twin and store: withdraw again, later
 * (6) an acquire that meets a fetch whose need has grown twice waits for the end of the fetch
 * (7) threads have no access until they fault
 * (8) if threads wait: ask, →Fetching
 * (9) when every request is answered: ask for the missing diffs. If none is missing, apply the
 *     diffs, →Clean or, if a store waits, →Dirty
 * (10) if a requested diff is not made yet: make it first. A dirty page is compared while threads
 *     store to it. Otherwise, for a closed page: send diffs
 * (11) a request that needs the diff of the intervals in which the page is listed waits for it
 * (12) requested by a prefetch or read-ahead, and no thread waits. Replies are kept until a fault;
 *     if they are complete then, they resume it at once. Likewise if read-ahead opens the page
 *     together with one before it, →Clean
 * (13) when this node has performed the collections that the requester has; forward, if this node
 *     itself awaits an image
 * (14) a page that is complete since this step is withdrawn as in Clean
 * (15) if the requester accepts an image, and the diffs are longer than a page or some are absent:
 *     send the page, or the twin if there is one, instead. The image must contain all of them, the
 *     diffs that only the requester's copy has, and the collections that the requester has
 * (16) over the copy. Its diffs that the image lacks are applied again, in their order
 * (17) protect, →Closed; but a page that was stored to in several consecutive intervals stays Dirty
 *     for some releases, whether threads store to it or not
 * (18) a page that was handed over: Fetching →Exclusive, Ahead →Idle
 * (19) of a late prefetch, if the rules say so: ask again, ignore the first reply of each node
 *
 * Idle: the only copy, which no thread has used since the initialization: on the root, or on a node
 * whose prefetch or read-ahead has requested the page. Exclusive: the only copy; no node needs
 * notices of stores, so there is no twin. The first copy of another node ends this for good: its
 * image has all these stores. Zeros: in a region that was allocated on every node, a page that no
 * thread has accessed. Initial: on the root, a page that the initialization has accessed; threads
 * may store to it and there is no twin. In a cluster of one node the initialization never ends.
 * A collection, once all notices that it covers have been processed, changes each page that lacks a
 * diff that it covers: Absent, no more; Zeros →Absent; Stale →Absent or, if this node is the keeper
 * of the page or its copy has later diffs, ask, →Ahead. It is performed when all pages in Ahead
 * and Fetching that lack such a diff have received it: Ahead →Clean, and threads have no access
 * until they fault.
 * </pre>
 *
 * A diff covers all intervals in which the page has been listed since its twin was made, and is
 * ordered by the first. It is made before a diff of another node is applied to the page, and before
 * another node receives any of these stores: so no other node's stores to the page lie between
 * them. A page whose access is withdrawn with a twin ends the interval in which it is listed.
 */
public sealed class Lazy extends NoticedProtocol<Msg> permits Hybrid {
    /** A page as this node sees it. */
    sealed interface State {
        State ABSENT = new Absent();
        State STALE = new Stale();
        State AHEAD = new Ahead();
        State ZEROS = new Zeros();
        State INITIAL = new Initial();

        record Absent() implements State {}

        /**
         * @param growths number of times that the need has grown since the request
         */
        record Fetching(Wanted wanted, int growths) implements State {}

        /**
         * @param heldUntilNanos an acquire does not withdraw the access before this time
         */
        record Clean(long heldUntilNanos) implements State {}

        /**
         * @param heldUntilNanos as in {@link Clean}
         */
        record Dirty(long heldUntilNanos) implements State {}

        /**
         * @param heldUntilNanos as in {@link Clean}
         */
        record Closed(long heldUntilNanos) implements State {}

        record Withdrawing(Wanted wanted) implements State {}

        /**
         * As {@link Withdrawing}, with a twin.
         *
         * @param interval in which the page is listed
         */
        record Closing(Wanted wanted, long interval) implements State {}

        record Stale() implements State {}

        record Ahead() implements State {}

        record Zeros() implements State {}

        /**
         * @param heldUntilNanos as in {@link Clean}, from the first copy of another node on
         */
        record Exclusive(long heldUntilNanos) implements State {}

        /**
         * @param isZero false if there is content
         */
        record Idle(boolean isZero) implements State {}

        record Initial() implements State {}
    }

    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS = LazyTraits.ALL;

    public static final List<Codec<?>> CODECS = LazyMessages.CODECS;

    final HeldDiffs held;
    final Fetches fetches;
    final Keepers keepers;
    final LazyPages pages;
    final PushedDiffs pushed;
    private final Validations validations;
    private final NoticedPages noticed;
    final Outgoing outgoing;
    private final ReadAhead readAhead;
    private final LazyAhead ahead;
    private final List<ImageRequest> closing = new ArrayList<>(); // for pages being withdrawn

    public Lazy(Context context) {
        super(context, WriteNotices.Order.TIMESTAMPS);
        this.keepers = new Keepers(context.nodes());
        this.outgoing = new Outgoing(context, keepers);
        this.held = new HeldDiffs(context, outgoing);
        this.pushed = new PushedDiffs(context, held);
        this.fetches = new Fetches(held, keepers, notices, outgoing, pushed);
        this.pages = new LazyPages(context, interval, fetches, held, keepers);
        this.validations = new Validations(context, pages, fetches, notices, keepers);
        this.readAhead = new ReadAhead(context);
        this.ahead = new LazyAhead(context, pages, fetches, readAhead, this::openFetched);
        LazyCopies copies =
                new LazyCopies(context, notices, pages, fetches, readAhead, pushed, outgoing);
        this.noticed = new NoticedPages(context, copies, notices);
    }

    @Override
    protected NoticedPages noticed() {
        return noticed;
    }

    @Override
    public String describe(PageId page) {
        return pages.peek(page) + " lacks=" + fetches.missing(page);
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

    @Override
    public void onRegionAllocated(RegionSpec region) {
        super.onRegionAdded(region);
        pages.addZeros(region);
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
        State before = entry.state();
        switch (before) {
            case State.Absent() -> pages.fetch(entry, first, true, out);
            case State.Stale() -> pages.fetch(entry, first, false, out);
            case State.Ahead() -> ahead.use(entry, first, out);
            case State.Fetching(Wanted wanted, int growths) ->
                    pages.join(entry, new State.Fetching(wanted.join(store), growths), out);
            case State.Clean(long until) -> pages.open(entry, store, until, out);
            case State.Closed(long until) when store -> {
                pages.becomeDirty(entry, until);
                out.resumeFault(page, PageAccess.READ_WRITE);
            }
            case State.Closed _ -> out.resumeFault(page, PageAccess.READ);
            case State.Zeros() -> pages.openZeros(entry, store, out);
            case State.Idle _ -> pages.openIdle(entry, out);
            case State.Dirty _, State.Exclusive _, State.Initial() ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Withdrawing(Wanted wanted) ->
                    pages.join(entry, new State.Withdrawing(wanted.join(store)), out);
            case State.Closing(Wanted wanted, long listed) ->
                    pages.join(entry, new State.Closing(wanted.join(store), listed), out);
        }
        ahead.onFault(page, before, out);
        stepped(out);
    }

    /**
     * Opens the pages that need no reply, and sends the messages that were collected during the
     * step.
     */
    final void stepped(Effects out) {
        for (PageId page : fetches.takeComplete()) {
            out.count(NodeCounter.PUSHES_USEFUL);
            openFetched(pages.entry(page), out);
        }
        outgoing.send(held.isMaking(), out);
    }

    @Override
    public void onTwinMade(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Clean(long until) -> {
                out.count(NodeCounter.TWINS_MADE);
                pages.becomeDirty(entry, until);
            }
            case State.Closed(long until) -> pages.becomeDirty(entry, until);
            case State.Withdrawing(Wanted wanted) -> {
                out.count(NodeCounter.TWINS_MADE);
                pages.becomeClosing(entry, wanted);
            }
            case State.Closing _ -> {} // its diff is not made yet
            case State.Absent(),
                    State.Fetching _,
                    State.Dirty _,
                    State.Stale(),
                    State.Ahead(),
                    State.Zeros(),
                    State.Exclusive _,
                    State.Idle _,
                    State.Initial() ->
                    throw new ProtocolViolation(entry, "TwinMade");
        }
    }

    @Override
    public void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        ahead.onPrefetch(first, count, out);
        stepped(out);
    }

    @Override
    protected void seal(Effects out) {
        pages.seal(out);
    }

    // releases

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        if (!(leaving instanceof GatedRelease.Elapsed)) {
            listDirty(out);
        }
        out.releasePerformed(leaving);
    }

    /** Lists the pages to which threads have stored. */
    final void listDirty(Effects out) {
        if (interval.isDirty()) {
            out.count(NodeCounter.FLUSHES);
            for (PageId page : interval.takeDirty(out)) { // neighbours are protected in one step
                DirectoryEntry<State> entry = pages.entry(page);
                if (!(entry.state() instanceof State.Dirty(long until))) {
                    throw new ProtocolViolation(entry, "release");
                }
                pages.close(entry, until, out);
            }
        }
    }

    @Override
    public void onDiffSaved(Event.DiffSaved saved, Effects out) {
        PageId page = saved.page();
        DirectoryEntry<State> entry = pages.entry(page);
        if (saved.granules() > 0) {
            out.count(NodeCounter.DIFFS_MADE);
        } else {
            out.count(NodeCounter.DIFFS_EMPTY);
            pages.unchanged(page);
        }
        switch (entry.state()) {
            case State.Dirty _, State.Closed _, State.Closing _ when saved.kept() -> {
                // its twin is the compared content, though another release or notice followed
            }
            case State.Clean(long until) when saved.kept() -> pages.becomeDirty(entry, until);
            case State.Withdrawing(Wanted wanted) when saved.kept() ->
                    pages.becomeClosing(entry, wanted);
            case State.Clean _, State.Withdrawing _ -> out.dropTwin(page);
            case State.Closing(Wanted wanted, long _) -> {
                out.dropTwin(page);
                pages.becomeStale(entry, wanted, out);
                answerClosing(entry, out);
                noticed.settled(out);
            }
            case State.Absent(),
                    State.Fetching _,
                    State.Dirty _,
                    State.Closed _,
                    State.Stale(),
                    State.Ahead(),
                    State.Zeros(),
                    State.Exclusive _,
                    State.Idle _,
                    State.Initial() ->
                    throw new ProtocolViolation(entry, saved);
        }
        held.made(page, saved.interval(), saved.bytes(), pages::copyFor, out);
        stepped(out);
    }

    private void answerClosing(DirectoryEntry<State> entry, Effects out) {
        List<ImageRequest> due =
                closing.stream().filter(each -> each.page(0).equals(entry.page())).toList();
        closing.removeAll(due);
        due.forEach(each -> onImageRequest(entry, each, out));
        outgoing.sendImages(out);
    }

    // acquires

    @Override
    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        super.onAcquire(acquire, until, out);
        stepped(out);
    }

    @Override
    public void onAcquirePerformed(Effects out) {
        super.onAcquirePerformed(out);
        stepped(out);
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        super.onTimer(timer, out);
        stepped(out);
    }

    @Override
    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        super.onAccessWithdrawn(withdrawn, out);
        stepped(out);
    }

    // collections

    @Override
    public long lazyBytes() {
        return super.lazyBytes() + held.bytes();
    }

    @Override
    public void onCollect(long number, VectorTimestamp upTo, Effects out) {
        noticed.onCollect(upTo, each -> validate(number, upTo, each), out);
        stepped(out);
    }

    private void validate(long number, VectorTimestamp upTo, Effects out) {
        validations.begin(number, upTo, out);
        for (PageId page : validations.awaited()) {
            completeAhead(pages.entry(page), out);
        }
        performCollection(out);
    }

    /**
     * Applies the diffs of a page that was prefetched or is being validated, if all are present.
     */
    private void completeAhead(DirectoryEntry<State> entry, Effects out) {
        if (entry.state() instanceof State.Ahead
                && validations.isAwaited(entry.page())
                && fetches.isComplete(entry, out)) {
            readAhead.gone(entry.page(), out);
            entry.become(new State.Clean(0)); // threads have no access until they fault
            validations.validated(entry.page());
        }
    }

    private void performCollection(Effects out) {
        for (ImageRequest request : validations.performIfDone(out)) {
            onImageRequest(pages.entry(request.page(0)), request, out);
        }
        outgoing.sendImages(out);
    }

    @Override
    public void onCollected(VectorTimestamp upTo, Effects out) {
        super.onCollected(upTo, out);
        pushed.drop(upTo, out);
        held.drop(upTo, out);
    }

    // messages

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case ImageRequest request -> {
                for (PageId page : request.pages()) {
                    onImageRequest(pages.entry(page), request.of(page), out);
                }
                outgoing.sendImages(out);
            }
            case DiffRequest request -> {
                for (WantedDiffs wanted : request.wanted()) {
                    onDiffRequest(from, pages.entry(wanted.page()), wanted, out);
                }
            }
            case ImageReply reply -> {
                for (Image image : reply.images()) {
                    DirectoryEntry<State> entry = awaited(image.page(), reply);
                    fetches.onImage(entry, image, out);
                    if (image.exclusive()) {
                        boolean lacksNothing = fetches.isComplete(entry, out);
                        ProtocolViolation.check(lacksNothing, entry, reply);
                        pages.takeOver(entry, out);
                    }
                }
            }
            case DiffReply reply -> {
                for (GivenDiffs given : reply.given()) {
                    fetches.onDiffs(from, awaited(given.page(), reply), given, out);
                }
            }
            case CopyReply reply ->
                    fetches.onCopyReply(from, awaited(reply.page(), reply), reply, out);
            case Push _, Unread _ ->
                    throw new ProtocolViolation(pages.entry(message.page(0)), message);
        }
        if (message instanceof ProtocolMessage.Reply
                || message instanceof ProtocolMessage.StoresReply) {
            message.pages().forEach(page -> openFetched(pages.entry(page), out));
        }
        stepped(out);
    }

    private DirectoryEntry<State> awaited(PageId page, Msg reply) {
        DirectoryEntry<State> entry = pages.entry(page);
        boolean isAwaited =
                entry.state() instanceof State.Fetching || entry.state() instanceof State.Ahead;
        ProtocolViolation.check(isAwaited, entry, reply);
        return entry;
    }

    private void onImageRequest(DirectoryEntry<State> entry, ImageRequest request, Effects out) {
        PageId page = entry.page();
        if (validations.defers(request)) {
            return;
        }
        if (entry.state() instanceof State.Closing) {
            closing.add(request);
            return;
        }
        if (entry.state() instanceof State.Absent || fetches.awaitsImage(page)) {
            NodeId keeper = keepers.of(page);
            ProtocolViolation.check(!keeper.equals(context.self()), entry, request);
            outgoing.forward(keeper, request);
            return;
        }
        Image image = pages.image(entry, request, out);
        out.count(NodeCounter.PAGES_SENT);
        if (image.exclusive()) {
            readAhead.gone(page, out);
        }
        outgoing.giveImage(request.asker(), image, out);
    }

    private void onDiffRequest(
            NodeId from, DirectoryEntry<State> entry, WantedDiffs request, Effects out) {
        ProtocolViolation.check(held.isAskedForOwn(request), entry, request);
        boolean mayWait =
                switch (entry.state()) {
                    case State.Closed(long until) when held.asksForUnmade(request) -> {
                        entry.become(new State.Clean(until));
                        pages.makeDiff(entry, out);
                        yield true;
                    }
                    case State.Dirty _ when held.asksForUnmade(request) -> {
                        pages.makeDiff(entry, out);
                        yield true;
                    }
                    case State.Closing _ -> true;
                    case State.Zeros(), State.Exclusive _, State.Idle _, State.Initial() ->
                            throw new ProtocolViolation(entry, request);
                    default -> false;
                };
        boolean isAnswered = held.onDiffRequest(from, request, pages::copyFor, out);
        ProtocolViolation.check(isAnswered || mayWait, entry, request);
    }

    /** Opens a page for waiting threads if no diff is missing. */
    private void openFetched(DirectoryEntry<State> entry, Effects out) {
        if (entry.state() instanceof State.Fetching(Wanted wanted, int _)
                && fetches.isComplete(entry, out)) {
            pages.open(
                    entry, wanted == Wanted.STORE, context.nowNanos() + context.holdNanos(), out);
            noticed.onFetched(entry.page(), out);
            validations.validated(entry.page());
        }
        completeAhead(entry, out);
        performCollection(out);
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        pages.poisonWaiting(out);
    }
}
