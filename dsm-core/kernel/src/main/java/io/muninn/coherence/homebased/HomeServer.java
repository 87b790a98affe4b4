package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.homebased.HomeBased.Wanted;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseReply;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseRequest;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushAck;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionReply;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
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

/**
 * What a node does as a home: it fills pages with what the root has initialized, applies flushes,
 * and answers requests for pages, each when the page has the version that it names.
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

    /** Asks the root for the first content of a page. */
    void fill(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Filling(wanted));
        out.send(NodeId.ROOT, new BaseRequest(entry.page()));
    }

    /** A page of the root that no thread has touched gets its content. */
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

    void onVersionRequest(NodeId from, VersionRequest request, Effects out) {
        DirectoryEntry<State> entry = pages.entry(request.page());
        ProtocolViolation.check(
                entry.isOwnedBy(self) && !from.equals(self), entry, request);
        if (entry.state() instanceof State.Unfilled) {
            fill(entry, Wanted.NOTHING, out);
        }
        Deferred next = new Deferred(from, request.need());
        if (mayAnswer(entry, next)) {
            answer(entry, from, out);
            return;
        }
        List<Deferred> waiting = deferred.get(request.page());
        if (waiting == null) {
            waiting = new ArrayList<>();
            deferred.put(request.page(), waiting);
        }
        waiting.add(next);
    }

    /** The home's own stores are in the page when other nodes hear of them. */
    private boolean mayAnswer(DirectoryEntry<State> entry, Deferred request) {
        return !(entry.state() instanceof State.Filling)
                && entry.applied().covers(request.need().without(self));
    }

    private void answer(DirectoryEntry<State> entry, NodeId asker, Effects out) {
        PageId page = entry.page();
        AppliedDiffs version = entry.applied().with(self, context.clock().interval() - 1);
        out.count(NodeCounter.PAGES_SENT);
        out.send(asker, new VersionReply(page, version, new Payload.LiveImage(page)));
    }

    private void answerDeferred(DirectoryEntry<State> entry, Effects out) {
        List<Deferred> waiting = deferred.get(entry.page());
        if (waiting == null) {
            return;
        }
        waiting.removeIf(request -> {
            boolean isAnswered = mayAnswer(entry, request);
            if (isAnswered) {
                answer(entry, request.asker(), out);
            }
            return isAnswered;
        });
        if (waiting.isEmpty()) {
            deferred.remove(entry.page());
        }
    }

    void onHomeFlush(NodeId from, HomeFlush flush, Effects out) {
        for (FlushedPage each : flush.flushed()) {
            DirectoryEntry<State> entry = pages.entry(each.page());
            switch (entry.state()) {
                case State.Unfilled(), State.Filling _ -> // the root's image will have it
                        ProtocolViolation.check(from.isRoot(), entry, flush);
                case State.Idle() -> {
                    fillWithZeros(entry, out);
                    apply(each, out);
                }
                case State.HomeClean(),
                        State.HomeDirty(),
                        State.HomeWithdrawing _,
                        State.HomeStale _ ->
                        apply(each, out);
                default -> throw new ProtocolViolation(entry, flush);
            }
            entry.applied(entry.applied().with(from, flush.interval()));
        }
        for (FlushedPage each : flush.flushed()) {
            DirectoryEntry<State> entry = pages.entry(each.page());
            if (entry.state() instanceof State.HomeStale(Wanted wanted)) {
                pages.settleHome(entry, wanted, out);
            }
            answerDeferred(entry, out);
        }
        if (flush.acknowledge()) {
            out.send(from, new FlushAck());
        }
    }

    private static void apply(FlushedPage flushed, Effects out) {
        if (!(flushed.diff() instanceof Payload.None)) {
            out.applyDiff(flushed.page(), flushed.diff());
        }
    }
}
