package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseReply;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseRequest;
import io.muninn.coherence.homebased.HomeBasedMessages.Copy;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushAck;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.GrantedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFound;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeGrant;
import io.muninn.coherence.homebased.HomeBasedMessages.NeededPage;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionReply;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.coherence.shared.Wanted;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The operations of a node as a home: fills pages with the content that the root has initialized,
 * applies flushes, and replies to requests for pages, each when the page has the requested version.
 */
final class HomeServer {
    private record Deferred(NodeId asker, AppliedDiffs need) {}

    private final Context context;
    private final NodeId self;
    private final HomedPages pages;
    private final PageMap<List<Deferred>> deferred = new PageMap<>(); // oldest first

    HomeServer(Context context, HomedPages pages) {
        this.context = context;
        this.self = context.self();
        this.pages = pages;
    }

    /** Requests the first content of a page from the root. */
    void fill(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Filling(wanted));
        out.send(NodeId.ROOT, new BaseRequest(entry.page()));
    }

    /** Fills a page of the root that no thread has accessed. */
    static void fillWithZeros(DirectoryEntry<State> entry, Effects out) {
        out.installPage(entry.page(), Payload.ZERO_PAGE, PageAccess.NONE);
        entry.become(State.HOME_CLEAN);
    }

    void onBaseReply(BaseReply reply, Effects out) {
        DirectoryEntry<State> entry = pages.entry(reply.page());
        if (!(entry.state() instanceof State.Filling(Wanted wanted))) {
            throw new ProtocolViolation(entry, reply);
        }
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(reply.page(), reply.image(), PageAccess.NONE);
        pages.settleHome(entry, wanted, out);
        answerDeferred(entry, out);
    }

    void onVersionRequest(VersionRequest request, Effects out) {
        NodeId asker = request.asker();
        TreeMap<NodeId, List<NeededPage>> elsewhere = new TreeMap<>();
        List<Copy> copies = new ArrayList<>();
        for (NeededPage each : request.needed()) {
            DirectoryEntry<State> entry = pages.entry(each.page());
            ProtocolViolation.check(!asker.equals(self), entry, request);
            if (each.claims() && pages.homes().isOpen(each.page())) {
                Payload image = new Payload.PageImage(each.page());
                out.count(NodeCounter.PAGES_SENT);
                give(List.of(new GrantedPage(each.page(), image)), asker, out);
            } else if (pages.homes().isForwarded(each.page())) {
                forward(entry, asker, each, elsewhere);
            } else {
                ProtocolViolation.check(entry.isOwnedBy(self), entry, request);
                serve(entry, new Deferred(asker, each.need()), copies, out);
            }
        }
        send(asker, copies, out);
        elsewhere.forEach((home, needed) -> {
            out.count(NodeCounter.FORWARDS);
            out.send(home, new VersionRequest(asker, needed));
        });
    }

    /**
     * Collects a request for forwarding. A request of the new home itself is dropped: the grant
     * ends it.
     */
    private static void forward(
            DirectoryEntry<State> entry,
            NodeId asker,
            NeededPage needed,
            TreeMap<NodeId, List<NeededPage>> elsewhere) {
        NodeId home = entry.probableOwner();
        if (!home.equals(asker)) {
            elsewhere.computeIfAbsent(home, _ -> new ArrayList<>()).add(needed);
        }
    }

    private void serve(DirectoryEntry<State> entry, Deferred next, List<Copy> copies, Effects out) {
        if (entry.state() instanceof State.Unfilled) {
            fill(entry, Wanted.NOTHING, out);
        }
        if (mayAnswer(entry, next)) {
            copies.add(copy(entry));
            return;
        }
        List<Deferred> waiting = deferred.get(entry.page());
        if (waiting == null) {
            waiting = new ArrayList<>();
            deferred.put(entry.page(), waiting);
        }
        waiting.add(next);
    }

    /**
     * True if the page has the requested version. Not tested for the home's own stores, which are
     * in the page before other nodes receive notices of them.
     */
    private boolean mayAnswer(DirectoryEntry<State> entry, Deferred request) {
        return !(entry.state() instanceof State.Filling)
                && entry.applied().covers(request.need().without(self));
    }

    private Copy copy(DirectoryEntry<State> entry) {
        PageId page = entry.page();
        AppliedDiffs version = entry.applied().with(self, context.clock().interval() - 1);
        return new Copy(page, version, new Payload.LiveImage(page));
    }

    private void send(NodeId asker, List<Copy> copies, Effects out) {
        if (copies.isEmpty()) {
            return;
        }
        out.count(NodeCounter.PAGES_SENT, copies.size());
        PageId first = copies.getFirst().page();
        int most = context.updates().limits().images(context.region(first));
        for (int from = 0; from < copies.size(); from += most) {
            int to = Math.min(from + most, copies.size());
            out.send(asker, new VersionReply(List.copyOf(copies.subList(from, to))));
        }
    }

    private void answerDeferred(DirectoryEntry<State> entry, Effects out) {
        List<Deferred> waiting = deferred.get(entry.page());
        if (waiting == null) {
            return;
        }
        waiting.removeIf(request -> {
            boolean isAnswered = mayAnswer(entry, request);
            if (isAnswered) {
                send(request.asker(), List.of(copy(entry)), out);
            }
            return isAnswered;
        });
        if (waiting.isEmpty()) {
            deferred.remove(entry.page());
        }
    }

    // first touch

    /**
     * On the root: makes a node the home of some pages, because it was the first to store to them.
     * The grant is sent before any request that the new home must answer.
     */
    private void give(List<GrantedPage> granted, NodeId to, Effects out) {
        for (GrantedPage each : granted) {
            ProtocolViolation.check(self.isRoot(), pages.entry(each.page()), "first store");
            pages.homes().decide(each.page(), to);
        }
        out.send(to, new HomeGrant(granted));
        for (GrantedPage each : granted) {
            leave(pages.entry(each.page()), out);
        }
    }

    /** Ends the root's role as the home of a page; no thread has stored to its copy. */
    private void leave(DirectoryEntry<State> entry, Effects out) {
        List<Deferred> waiting = deferred.remove(entry.page());
        if (waiting != null) {
            for (Deferred each : waiting) {
                if (!entry.isOwnedBy(each.asker())) {
                    NeededPage needed = new NeededPage(entry.page(), false, each.need());
                    out.count(NodeCounter.FORWARDS);
                    out.send(
                            entry.probableOwner(),
                            new VersionRequest(each.asker(), List.of(needed)));
                }
            }
        }
        switch (entry.state()) {
            case State.Idle() -> {} // zeros are the content until a notice arrives
            case State.HomeClean() -> entry.become(new State.Clean(0));
            case State.HomeWithdrawing(Wanted wanted) ->
                    entry.become(new State.Withdrawing(wanted));
            case State.HomeStale(Wanted wanted) -> pages.becomeStale(entry, wanted, out);
            default -> throw new ProtocolViolation(entry, "first store");
        }
        pages.readmit(entry, out);
    }

    /** Makes this node the home of a page. Stores without a twin are in no flush. */
    void onGranted(GrantedPage granted, HomeGrant grant, Effects out) {
        DirectoryEntry<State> entry = pages.entry(granted.page());
        ProtocolViolation.check(pages.homes().isOpen(granted.page()), entry, grant);
        pages.homes().decide(granted.page(), self);
        entry.probableOwner(self);
        switch (entry.state()) {
            case State.Fetching(Wanted wanted, int _) -> {
                if (!(granted.image() instanceof Payload.None)) {
                    out.count(NodeCounter.PAGES_FETCHED);
                    out.discard(granted.page());
                    out.installPage(granted.page(), granted.image(), PageAccess.NONE);
                }
                pages.settleHome(entry, wanted, out);
            }
            case State.Ahead _, State.Stale() -> pages.settleHome(entry, Wanted.NOTHING, out);
            case State.Clean _ -> entry.become(State.HOME_CLEAN);
            case State.Dirty _ -> {
                out.dropTwin(granted.page());
                entry.become(State.HOME_DIRTY);
            }
            case State.Withdrawing(Wanted wanted) ->
                    entry.become(new State.HomeWithdrawing(wanted));
            // threads may store until the withdrawal is done
            case State.Closing(Wanted wanted, long _) -> {
                out.dropTwin(granted.page());
                pages.storedToHome(granted.page());
                entry.become(new State.HomeWithdrawing(wanted));
            }
            default -> throw new ProtocolViolation(entry, grant);
        }
        pages.readmit(entry, out);
    }

    // flushes

    void onHomeFlush(NodeId from, HomeFlush flush, Effects out) {
        List<GrantedPage> granted = new ArrayList<>();
        List<PageId> applied = new ArrayList<>();
        TreeMap<NodeId, List<FlushedPage>> elsewhere = new TreeMap<>();
        for (FlushedPage each : flush.flushed()) {
            DirectoryEntry<State> entry = pages.entry(each.page());
            NodeId home = entry.probableOwner();
            if (pages.homes().isOpen(each.page())) {
                granted.add(new GrantedPage(each.page(), Payload.NONE));
            } else if (!pages.homes().isForwarded(each.page())) {
                onFlushed(entry, each, flush, out);
                applied.add(each.page());
            } else if (!home.equals(flush.writer())) { // the home already contains its own stores
                elsewhere.computeIfAbsent(home, _ -> new ArrayList<>()).add(each);
            }
        }
        for (PageId page : applied) {
            DirectoryEntry<State> entry = pages.entry(page);
            if (entry.state() instanceof State.HomeStale(Wanted wanted)) {
                pages.settleHome(entry, wanted, out);
            }
            pages.readmit(entry, out);
            answerDeferred(entry, out);
        }
        if (!granted.isEmpty()) {
            give(granted, flush.writer(), out);
        }
        elsewhere.forEach((home, flushed) -> {
            out.count(NodeCounter.FORWARDS);
            out.send(home, new HomeFlush(flush.writer(), flush.interval(), false, flushed));
        });
        if (!from.equals(flush.writer())) {
            out.send(flush.writer(), new HomeFound(flush.interval(), applied));
        }
        if (flush.acknowledge()) {
            out.send(from, new FlushAck());
        }
    }

    private void onFlushed(
            DirectoryEntry<State> entry, FlushedPage flushed, HomeFlush flush, Effects out) {
        boolean isNext = flush.interval() > entry.applied().interval(flush.writer());
        // otherwise an older diff would overwrite a newer one
        ProtocolViolation.check(isNext, entry, flush);
        switch (entry.state()) {
            case State.Unfilled(), State.Filling _ -> // the root's image will contain it
                    ProtocolViolation.check(flush.writer().isRoot(), entry, flush);
            case State.Idle() -> {
                ProtocolViolation.check(entry.isOwnedBy(self), entry, flush);
                fillWithZeros(entry, out);
                apply(flushed, out);
            }
            case State.HomeClean(), State.HomeDirty(), State.HomeWithdrawing _, State.HomeStale _ ->
                    apply(flushed, out);
            default -> throw new ProtocolViolation(entry, flush);
        }
        entry.applied(entry.applied().with(flush.writer(), flush.interval()));
    }

    private static void apply(FlushedPage flushed, Effects out) {
        if (!(flushed.diff() instanceof Payload.None)) {
            out.applyDiff(flushed.page(), flushed.diff());
        }
    }
}
