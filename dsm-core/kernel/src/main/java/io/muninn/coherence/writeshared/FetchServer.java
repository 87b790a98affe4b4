package io.muninn.coherence.writeshared;

import io.muninn.coherence.shared.DirtyStreak;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.writeshared.WriteShared.State;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.WantedPage;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
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
import java.util.function.Function;

/**
 * Answers the requests for write-shared pages: sends a copy, hands the page over, or forwards to
 * the probable owner; the columns FetchRequest and AheadRequest of {@link WriteShared}.
 *
 * <p>If a request names several pages, all are frozen first, and all that are handed over are
 * discarded last, so that neighbours are frozen, and discarded, in one step. A message carries
 * several images.
 */
public final class FetchServer {
    private final Context context;
    private final Directory<State> directory;
    private final Flushes flushes;
    private final ReadAhead readAhead;
    private final RaceChecks races;

    FetchServer(
            Context context,
            Directory<State> directory,
            Flushes flushes,
            ReadAhead readAhead,
            RaceChecks races) {
        this.context = context;
        this.directory = directory;
        this.flushes = flushes;
        this.readAhead = readAhead;
        this.races = races;
    }

    void onFetchRequest(FetchRequest request, Effects out) {
        List<WantedPage> wanted = List.of(new WantedPage(request.page(), request.ended()));
        serve(request, request.asker(), wanted, _ -> request, out);
    }

    void onAheadRequest(AheadRequest request, Effects out) {
        NodeId asker = request.asker();
        serve(request, asker, request.wanted(), some -> new AheadRequest(asker, some), out);
    }

    private void serve(
            Msg request,
            NodeId asker,
            List<WantedPage> wanted,
            Function<List<WantedPage>, Msg> forwarded,
            Effects out) {
        TreeMap<NodeId, List<WantedPage>> elsewhere = new TreeMap<>();
        List<WantedPage> here = new ArrayList<>(wanted.size());
        for (WantedPage each : wanted) {
            DirectoryEntry<State> entry = directory.entry(each.page());
            ProtocolViolation.check(!asker.equals(context.self()), entry, request);
            switch (entry.state()) {
                case State.Absent(), State.Deferred _, State.Fetching _, State.Ahead _ ->
                        elsewhere
                                .computeIfAbsent(entry.probableOwner(), _ -> new ArrayList<>())
                                .add(each);
                case State.Exclusive() -> {
                    here.add(each);
                    entry.become(new State.Clean(context.nowNanos(), DirtyStreak.NONE));
                    out.setAccess(each.page(), PageAccess.READ); // the next store makes a twin
                }
                case State.Clean _, State.Withdrawn _, State.Dirty _, State.Hot _, State.Idle() ->
                        here.add(each);
            }
        }
        List<FetchReply> replies = new ArrayList<>(here.size());
        List<PageId> handedOver = new ArrayList<>();
        for (WantedPage each : here) {
            replies.add(answer(directory.entry(each.page()), asker, each.ended(), handedOver));
        }
        send(asker, replies, out);
        handedOver.forEach(out::discard); // frozen, sent, now forgotten
        handedOver.forEach(page -> readAhead.gone(page, out));
        elsewhere.forEach((owner, some) -> {
            out.count(NodeCounter.FORWARDS);
            out.send(owner, forwarded.apply(some));
        });
    }

    private void send(NodeId asker, List<FetchReply> replies, Effects out) {
        if (replies.isEmpty()) {
            return;
        }
        replies.forEach(reply -> races.tellStores(asker, reply.page(), out));
        out.count(NodeCounter.PAGES_SENT, replies.size());
        PageId first = replies.getFirst().page();
        int most = context.updates().limits().images(context.region(first));
        for (int from = 0; from < replies.size(); from += most) {
            int to = Math.min(from + most, replies.size());
            List<FetchReply> some = List.copyOf(replies.subList(from, to));
            out.send(asker, some.size() == 1 ? some.getFirst() : new AheadReply(some));
        }
    }

    private FetchReply answer(
            DirectoryEntry<State> entry, NodeId asker, int ended, List<PageId> handedOver) {
        PageId page = entry.page();
        return switch (entry.state()) {
            case State.Clean _, State.Withdrawn _ ->
                    giveCopy(entry, asker, ended, new Payload.PageImage(page));
            case State.Dirty _, State.Hot _ ->
                    giveCopy(entry, asker, ended, new Payload.TwinImage(page));
            case State.Idle() -> {
                handedOver.add(page);
                yield handOver(entry, asker);
            }
            case State.Absent(),
                    State.Deferred _,
                    State.Fetching _,
                    State.Ahead _,
                    State.Exclusive() ->
                    throw new IllegalStateException("node holds no copy to give: " + page);
        };
    }

    private FetchReply giveCopy(
            DirectoryEntry<State> entry, NodeId asker, int ended, Payload image) {
        FetchReply reply =
                new FetchReply(entry.page(), false, entry.copies(), entry.applied(), image);
        entry.copies(entry.copies().with(asker, ended));
        Flushes.PageUpdate update = flushes.pending(entry.page());
        if (update != null) { // the image contains it
            update.told = update.told.with(asker, ended);
        }
        return reply;
    }

    /** Hands over an idle page, which has no access that must be withdrawn first. */
    private FetchReply handOver(DirectoryEntry<State> entry, NodeId asker) {
        PageId page = entry.page();
        Payload image = new Payload.PageImage(page);
        FetchReply reply = new FetchReply(page, true, DatedCopyset.EMPTY, entry.applied(), image);
        entry.become(new State.Absent());
        entry.probableOwner(asker);
        entry.copies(DatedCopyset.EMPTY);
        return reply;
    }
}
