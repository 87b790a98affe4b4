package io.muninn.protocols;

import io.muninn.directory.DatedCopyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.Context;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effects;
import io.muninn.protocol.ProtocolViolation;
import io.muninn.protocols.WriteShared.State;
import io.muninn.protocols.WriteSharedMessages.AheadRequest;
import io.muninn.protocols.WriteSharedMessages.FetchReply;
import io.muninn.protocols.WriteSharedMessages.FetchRequest;
import io.muninn.protocols.WriteSharedMessages.Msg;
import io.muninn.protocols.WriteSharedMessages.Wanted;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Answers the requests for write-shared pages: gives a copy, hands the page over, or forwards to
 * the probable owner; the columns FetchRequest and AheadRequest of {@link WriteShared}.
 *
 * <p>Of several pages all are frozen first, and all that are handed over are discarded last: so
 * that neighbours are frozen, and discarded, in one step.
 */
final class Serving {
    private final Context context;
    private final Directory<State> directory;
    private final Flushes flushes;
    private final ReadAhead readAhead;

    Serving(Context context, Directory<State> directory, Flushes flushes, ReadAhead readAhead) {
        this.context = context;
        this.directory = directory;
        this.flushes = flushes;
        this.readAhead = readAhead;
    }

    void onFetchRequest(FetchRequest request, Effects out) {
        List<Wanted> wanted = List.of(new Wanted(request.page(), request.ended()));
        serve(request, request.asker(), wanted, _ -> request, out);
    }

    void onAheadRequest(AheadRequest request, Effects out) {
        NodeId asker = request.asker();
        serve(request, asker, request.wanted(), some -> new AheadRequest(asker, some), out);
    }

    private void serve(
            Msg request,
            NodeId asker,
            List<Wanted> wanted,
            Function<List<Wanted>, Msg> forwarded,
            Effects out) {
        TreeMap<NodeId, List<Wanted>> elsewhere = new TreeMap<>();
        List<Wanted> here = new ArrayList<>(wanted.size());
        for (Wanted each : wanted) {
            DirectoryEntry<State> entry = directory.entry(each.page());
            ProtocolViolation.check(!asker.equals(context.self()), entry, request);
            switch (entry.state()) {
                case State.Absent(), State.Deferred _, State.Fetching _, State.Ahead _ ->
                        elsewhere
                                .computeIfAbsent(entry.probableOwner(), _ -> new ArrayList<>())
                                .add(each);
                case State.Exclusive() -> {
                    here.add(each);
                    entry.become(new State.Clean(context.nowNanos(), Heat.NONE));
                    out.setAccess(each.page(), PageAccess.READ); // the next store makes a twin
                }
                case State.Clean _, State.Withdrawn _, State.Dirty _, State.Hot _, State.Idle() ->
                        here.add(each);
            }
        }
        List<PageId> handedOver = new ArrayList<>();
        for (Wanted each : here) {
            answer(directory.entry(each.page()), asker, each.ended(), handedOver, out);
        }
        handedOver.forEach(out::discard); // frozen, sent, now forgotten
        elsewhere.forEach((owner, some) -> {
            out.count(Counter.FORWARDS);
            out.send(owner, forwarded.apply(some));
        });
    }

    private void answer(
            DirectoryEntry<State> entry,
            NodeId asker,
            int ended,
            List<PageId> handedOver,
            Effects out) {
        PageId page = entry.page();
        switch (entry.state()) {
            case State.Clean _, State.Withdrawn _ ->
                    sendCopy(entry, asker, ended, new Payload.PageImage(page), out);
            case State.Dirty _, State.Hot _ ->
                    sendCopy(entry, asker, ended, new Payload.TwinImage(page), out);
            case State.Idle() -> {
                handOver(entry, asker, out);
                handedOver.add(page);
            }
            case State.Absent(),
                    State.Deferred _,
                    State.Fetching _,
                    State.Ahead _,
                    State.Exclusive() ->
                    throw new IllegalStateException("node holds no copy to give: " + page);
        }
    }

    private void sendCopy(
            DirectoryEntry<State> entry, NodeId asker, int ended, Payload image, Effects out) {
        out.count(Counter.PAGES_SENT);
        out.send(
                asker, new FetchReply(entry.page(), false, entry.copies(), entry.applied(), image));
        entry.copies(entry.copies().with(asker, ended));
        if (flushes.isPending(entry.page())) { // the image has it
            Flushes.PendingUpdate update = flushes.pending(entry.page());
            update.told = update.told.with(asker, ended);
        }
    }

    /** An idle page has no access that would have to be taken away first. */
    private void handOver(DirectoryEntry<State> entry, NodeId asker, Effects out) {
        PageId page = entry.page();
        out.count(Counter.PAGES_SENT);
        Payload image = new Payload.PageImage(page);
        out.send(asker, new FetchReply(page, true, DatedCopyset.EMPTY, entry.applied(), image));
        entry.become(new State.Absent());
        entry.probableOwner(asker);
        entry.copies(DatedCopyset.EMPTY);
        readAhead.opened(page);
    }
}
