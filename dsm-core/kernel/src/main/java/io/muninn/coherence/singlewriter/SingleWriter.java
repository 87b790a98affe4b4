package io.muninn.coherence.singlewriter;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Deferrals;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.NoticedProtocol;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyReply;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyRequest;
import io.muninn.coherence.singlewriter.SingleWriterMessages.Msg;
import io.muninn.coherence.singlewriter.SingleWriterMessages.OwnershipGrant;
import io.muninn.coherence.singlewriter.SingleWriterMessages.OwnershipRequest;
import io.muninn.directory.Copyset;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
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
 * Lazy release consistency with one writer: a page has one owner, whose threads store to it in
 * place. A store of another node moves page and ownership there; the old owner keeps a copy that
 * its threads may load from. There are no twins and no diffs. Write notices are carried by
 * synchronization messages. An acquire withdraws the copies that they make stale, and the next
 * access fetches the page from its owner. Two nodes that store to different elements of a page move
 * it to and fro. A page of which no other node has a copy costs nothing at releases and is listed
 * in no notice, as under {@code LAZY}.
 *
 * <p>Source: the single-writer protocol that Keleher and Tseng, "Enhancing Software DSM for
 * Compiler-Parallelized Applications", section 4.5, compare with multiple writers. The paper does
 * not describe it; owners are found as by {@code CONVENTIONAL}.
 *
 * <p><b>Content of a copy.</b> The page of the owner has the stores of all intervals that have
 * ended: each writer was the owner then, and has granted the page with its stores. So an image has
 * the stores of all intervals that its requester knew of when it sent the request, and of those
 * that the owner knows of when it replies. Notices of these intervals do not change the copy.
 *
 * <pre>
 *              read fault      write fault     release (1)      notice (2)
 * Invalid      ask, →Fetching  ask, →Asking    –                –
 * Fetching (3) join            join            –                –
 * Clean        resume          ask, →Asking    –                withdraw, →Withdrawing (4)
 * Withdrawing  join            join            –                impossible
 * Asking       join            join            –                end access (5)
 * Owned        resume          →Dirty          –                –
 * Dirty        resume          resume          protect, →Owned  –
 * Exclusive    resume          resume          –                impossible
 * Idle         begin (10)      begin (10)      –                impossible
 * Initial      resume          resume          impossible       impossible
 *
 *              AccessWithdrawn  CopyRequest   OwnershipRequest
 * Invalid      impossible       forward       forward, owner:=asker
 * Fetching     impossible       forward (9)   forward, owner:=asker
 * Clean        impossible       forward       forward, owner:=asker
 * Withdrawing  →Invalid (6)     forward       forward, owner:=asker
 * Asking       impossible       defer         defer
 * Owned        impossible       send copy     grant, →Clean (7)
 * Dirty        impossible       send copy     list, grant, →Clean (7)
 * Exclusive    impossible       →Owned (11)   grant, →Clean (7)
 * Idle         impossible       send copy     grant, →Invalid (12)
 * Initial      impossible       impossible    impossible
 *
 *              CopyReply             OwnershipGrant  Sealed
 * Invalid      impossible            impossible      –
 * Fetching     install, →Clean (3)   impossible      –
 * Clean        impossible            impossible      –
 * Withdrawing  impossible            impossible      –
 * Asking       impossible            install (8)     –
 * Owned        impossible            impossible      –
 * Dirty        impossible            impossible      –
 * Exclusive    impossible            impossible      –
 * Idle         impossible            impossible      –
 * Initial      impossible            impossible      end access, →Idle
 *
 * (1) a release that leaves the node. Dirty pages are listed in the write notice of the interval.
 *     The next store faults, which shows the intervals in which threads store to a page. A page
 *     that was granted was listed at that time
 * (2) an acquire or a collection processes a notice of stores that the copy does not contain
 * (3) a notice makes the need grow: an image that lacks the stores noticed meanwhile is not
 *     installed, and the page is requested again. An acquire that meets a fetch whose need has
 *     grown twice waits for the end of the fetch
 * (4) the acquire is performed when the access to all such pages is withdrawn. It waits for a page
 *     that was resumed within the hold time, while a thread of the node runs
 * (5) threads may have loaded from a copy since before the request. The content is kept, because
 *     the grant may have no image
 * (6) if threads wait: ask, →Fetching or →Asking
 * (7) within the hold time, or behind deferred requests: defer. The timer HoldOver answers the
 *     deferred requests in order. A store after a release is held, too, unless requests wait
 * (8) the image is installed, if there is one; →Exclusive if no other node has a copy, otherwise
 *     →Dirty. Deferred requests for copies are answered now
 * (9) also its own, which was sent to the last writer that notices had named
 * (10) before the initialization ends: →Initial. Then, if no other node has a copy: →Exclusive;
 *     otherwise a load: →Owned, a store: →Dirty
 * (11) the page is protected, and a copy is sent: stores from now on are listed
 * (12) the grant says whether a node besides the receiver has a copy
 *
 * Idle: on the root, a page that its threads have not used since the initialization. Exclusive: no
 * other node has a copy, and none has ever had a notice of the page.
 * Initial: on the root, a page that the initialization has stored to; its stores are not noticed.
 * In a cluster of one node the initialization never ends.
 * </pre>
 *
 * Any other request of this node for a page for which it waits is impossible. A grant has no image
 * if the receiver has a copy of the same version: the owner begins a version with the first store
 * after a release, or after it has received the page.
 */
public final class SingleWriter extends NoticedProtocol<Msg> {
    /**
     * A page as this node sees it. Data with a meaning in one state only is a component of that
     * state.
     */
    sealed interface State {
        State INVALID = new Invalid();
        State INITIAL = new Initial();
        State IDLE = new Idle(Copyset.EMPTY);

        record Invalid() implements State {}

        /**
         * @param asked covers the intervals that were known when the request was sent
         * @param needed covers the stores noticed since, which may be missing
         * @param growths number of times that the need has grown
         */
        record Fetching(VectorTimestamp asked, VectorTimestamp needed, int growths)
                implements State {}

        /** A copy; see {@link OwnersCopies}. */
        record Clean(long heldUntilNanos, Copy copy) implements State {}

        record Withdrawing(Wanted wanted) implements State {}

        /**
         * @param copy that was here when the request was sent
         * @param isReadable threads may load from it
         */
        record Asking(Copy copy, boolean isReadable, Deferrals<Msg> deferred) implements State {}

        record Owned(long heldUntilNanos, long version, Deferrals<Msg> deferred) implements State {}

        record Dirty(long heldUntilNanos, long version, Deferrals<Msg> deferred) implements State {}

        record Exclusive(long heldUntilNanos, long version, Deferrals<Msg> deferred)
                implements State {}

        /**
         * @param copies nodes that have been sent a copy
         */
        record Idle(Copyset copies) implements State {}

        record Initial() implements State {}
    }

    /**
     * The known properties of a copy.
     *
     * @param version of the page that it is equal to; 0 for none
     * @param contains covers intervals whose stores it has
     */
    record Copy(long version, VectorTimestamp contains) {}

    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.ONE_WRITER,
                            Trait.HELD,
                            Trait.ACQUIRES_INVALIDATE)
                    .state("Invalid", PageAccess.NONE)
                    .state("Fetching", PageAccess.NONE, Mark.THREADS_WAIT)
                    .state("Clean", PageAccess.READ)
                    .state("Withdrawing", PageAccess.READ, Mark.AWAITS_WITHDRAWAL)
                    .state("Asking", PageAccess.READ, Mark.ANSWERS, Mark.THREADS_WAIT)
                    .state("Owned", PageAccess.READ, Mark.ANSWERS, Mark.WHOLE)
                    .state("Dirty", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.WHOLE)
                    .state("Exclusive", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.WHOLE)
                    .state("Idle", PageAccess.NONE, Mark.ANSWERS, Mark.WHOLE)
                    .state("Initial", PageAccess.READ_WRITE, Mark.ANSWERS);

    public static final List<Codec<?>> CODECS = SingleWriterMessages.CODECS;

    private final OwnedPages pages;
    private final NoticedPages noticed;

    public SingleWriter(Context context) {
        super(context, WriteNotices.Order.TIMESTAMPS);
        this.pages = new OwnedPages(context, interval);
        this.noticed = new NoticedPages(context, new OwnersCopies(context, pages), notices);
    }

    @Override
    protected NoticedPages noticed() {
        return noticed;
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
        super.onRegionAdded(region);
        pages.add(region);
    }

    // faults

    @Override
    public void onReadFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Invalid() -> pages.askCopy(entry, out);
            case State.Clean _, State.Owned _ -> out.resumeFault(page, PageAccess.READ);
            case State.Dirty _, State.Exclusive _, State.Initial() ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Idle(Copyset copies) -> pages.use(entry, copies, false, out);
            case State.Withdrawing(Wanted wanted) ->
                    pages.join(entry, new State.Withdrawing(wanted.join(false)), out);
            case State.Fetching _, State.Asking _ -> pages.join(entry, entry.state(), out);
        }
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Invalid() -> pages.askOwnership(entry, out);
            case State.Clean(long _, Copy copy) -> pages.askOwnership(entry, copy, out);
            case State.Owned owned -> pages.storeAgain(entry, owned, out);
            case State.Dirty _, State.Exclusive _, State.Initial() ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Idle(Copyset copies) -> pages.use(entry, copies, true, out);
            case State.Withdrawing(Wanted wanted) ->
                    pages.join(entry, new State.Withdrawing(wanted.join(true)), out);
            case State.Fetching _, State.Asking _ -> pages.join(entry, entry.state(), out);
        }
    }

    @Override
    protected void seal(Effects out) {
        pages.seal(out);
    }

    // releases

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        if (!(leaving instanceof GatedRelease.Elapsed) && interval.isDirty()) {
            out.count(NodeCounter.FLUSHES);
            for (PageId page : interval.takeDirty(out)) { // neighbours are protected in one step
                DirectoryEntry<State> entry = pages.entry(page);
                if (!(entry.state() instanceof State.Dirty(long until, long version, var waits))) {
                    throw new ProtocolViolation(entry, "release");
                }
                entry.become(new State.Owned(until, version, waits));
                out.setAccess(page, PageAccess.READ);
            }
        }
        out.releasePerformed(leaving);
    }

    // messages

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        DirectoryEntry<State> entry = pages.entry(message.page());
        switch (message) {
            case CopyRequest request -> onCopyRequest(entry, from, request, out);
            case OwnershipRequest request -> onOwnershipRequest(entry, from, request, out);
            case CopyReply reply -> onCopyReply(entry, from, reply, out);
            case OwnershipGrant grant -> onOwnershipGrant(entry, grant, out);
        }
    }

    private void onCopyRequest(
            DirectoryEntry<State> entry, NodeId from, CopyRequest request, Effects out) {
        boolean isOwn = request.asker().equals(context.self());
        switch (entry.state()) {
            case State.Fetching _ -> pages.forward(entry, request, out);
            case State _ when isOwn -> throw new ProtocolViolation(entry, request);
            case State.Invalid(), State.Clean _, State.Withdrawing _ ->
                    pages.forward(entry, request, out);
            case State.Asking asking -> asking.deferred().add(from, request);
            case State.Owned owned -> pages.sendCopy(entry, owned.version(), request.asker(), out);
            case State.Dirty _ -> pages.sendCopy(entry, request.asker(), out);
            case State.Exclusive(long until, long version, var deferred) -> {
                entry.become(new State.Owned(until, version, deferred));
                out.setAccess(entry.page(), PageAccess.READ); // freeze, then read the image
                pages.sendCopy(entry, version, request.asker(), out);
            }
            case State.Idle(Copyset copies) -> {
                entry.become(new State.Idle(copies.with(request.asker())));
                pages.sendCopy(entry, OwnedPages.FIRST_VERSION, request.asker(), out);
            }
            case State.Initial() -> throw new ProtocolViolation(entry, request);
        }
    }

    private void onOwnershipRequest(
            DirectoryEntry<State> entry, NodeId from, OwnershipRequest request, Effects out) {
        ProtocolViolation.check(!request.asker().equals(context.self()), entry, request);
        switch (entry.state()) {
            case State.Invalid(), State.Fetching _, State.Clean _, State.Withdrawing _ -> {
                pages.forward(entry, request, out);
                entry.probableOwner(request.asker());
            }
            case State.Asking asking -> asking.deferred().add(from, request);
            case State.Owned(long until, long version, Deferrals<Msg> deferred) -> {
                if (!defers(deferred, until, entry, from, request, out)) {
                    pages.grant(entry, version, request, out);
                }
            }
            case State.Dirty(long until, long version, Deferrals<Msg> deferred) -> {
                if (!defers(deferred, until, entry, from, request, out)) {
                    interval.list(entry.page()); // its stores are of the present interval
                    pages.grantStored(entry, version, request, out);
                }
            }
            case State.Exclusive(long until, long version, Deferrals<Msg> deferred) -> {
                if (!defers(deferred, until, entry, from, request, out)) {
                    pages.grantStored(entry, version, request, out);
                }
            }
            case State.Idle(Copyset copies) -> pages.giveAway(entry, copies, request, out);
            case State.Initial() -> throw new ProtocolViolation(entry, request);
        }
    }

    /** Defers a request during the hold time, and behind others. False if it need not wait. */
    private static boolean defers(
            Deferrals<Msg> deferred,
            long until,
            DirectoryEntry<State> entry,
            NodeId from,
            OwnershipRequest request,
            Effects out) {
        if (!deferred.mustWait(until)) {
            return false;
        }
        deferred.addUntil(until, entry.page(), from, request, out);
        return true;
    }

    private void onCopyReply(
            DirectoryEntry<State> entry, NodeId from, CopyReply reply, Effects out) {
        if (!(entry.state() instanceof State.Fetching fetching)) {
            throw new ProtocolViolation(entry, reply);
        }
        entry.probableOwner(from);
        VectorTimestamp contains = fetching.asked().join(reply.known());
        if (contains.covers(fetching.needed())) {
            pages.install(entry, reply.image(), PageAccess.READ, out);
            long heldUntilNanos = context.nowNanos() + context.holdNanos();
            entry.become(new State.Clean(heldUntilNanos, new Copy(reply.version(), contains)));
            out.resumeFault(entry.page(), PageAccess.READ);
            noticed.onFetched(entry.page(), out);
        } else {
            out.count(NodeCounter.DEAD_IMAGES);
            pages.askAgain(entry, fetching, out);
        }
    }

    private void onOwnershipGrant(DirectoryEntry<State> entry, OwnershipGrant grant, Effects out) {
        if (!(entry.state() instanceof State.Asking(Copy copy, boolean _, var deferred))) {
            throw new ProtocolViolation(entry, grant);
        }
        if (grant.image() instanceof Payload.None) {
            boolean isHere = copy.version() != 0 && copy.version() == grant.version();
            ProtocolViolation.check(isHere, entry, grant);
        } else {
            pages.install(entry, grant.image(), PageAccess.READ_WRITE, out);
        }
        entry.probableOwner(context.self());
        pages.begin(entry, grant, deferred, out);
        answer(deferred, out);
        noticed.onFetched(entry.page(), out);
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        if (!(timer instanceof TimerId.HoldOver(PageId page))) {
            return;
        }
        switch (pages.entry(page).state()) {
            case State.Owned(long until, long _, Deferrals<Msg> deferred) ->
                    onHoldOver(page, until, deferred, out);
            case State.Dirty(long until, long _, Deferrals<Msg> deferred) ->
                    onHoldOver(page, until, deferred, out);
            case State.Exclusive(long until, long _, Deferrals<Msg> deferred) ->
                    onHoldOver(page, until, deferred, out);
            default -> {} // armed for an earlier stay of the page, or for an acquire
        }
        super.onTimer(timer, out);
    }

    private void onHoldOver(PageId page, long until, Deferrals<Msg> deferred, Effects out) {
        if (context.nowNanos() < until) {
            deferred.armTimer(until, page, out);
        } else {
            answer(deferred, out);
        }
    }

    private void answer(Deferrals<Msg> deferred, Effects out) {
        for (Deferrals.Deferral<Msg> each : deferred.takeAll()) {
            onMessage(each.from(), each.message(), out);
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        pages.poisonWaiting(out);
    }
}
