package io.muninn.coherence.weak;

import io.muninn.coherence.weak.OutgoingStores.Kind;
import io.muninn.coherence.weak.Weak.State;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.ListRequest;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.Notices;
import io.muninn.coherence.weak.WeakMessages.NoticesAck;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.directory.PageQueue;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WeakRules;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The pool by messages: frame and map of a page are at its home ({@link MapServer}), the weak list
 * of a node is here, or one list for all is on the root.
 *
 * <p><b>Order.</b> Messages about a page are sent in order ({@link OutgoingStores}), so the copy
 * that this node requests has the stores that it has published. All messages of a home to this node
 * arrive in order: a notice that meets a request for the page is older than the reply. So this node
 * forgets notices of pages that it is discarding or entering.
 */
final class HomesPool implements Pool {
    private final Context context;
    private final NodeId self;
    private final WeakPages pages;
    private final Results results;
    private final MapServer server;
    private final WeakRules rules;
    private final MessageLimits limits;
    private final OutgoingStores outgoing;
    private final PageQueue listed = new PageQueue();
    private final List<PageId> stale = new ArrayList<>(); // of the checks so far
    private int checks; // outstanding
    private long read; // position in the centralized list

    HomesPool(Context context, WeakPages pages, MapServer server, Results results) {
        this.context = context;
        this.self = context.self();
        this.pages = pages;
        this.server = server;
        this.results = results;
        this.rules = context.updates().weak();
        this.limits = context.updates().limits();
        this.outgoing = new OutgoingStores(limits);
    }

    // operations

    @Override
    public void enter(PageId page, Effects out) {
        listed.remove(page);
        outgoing.send(context.homeOf(page), new EnterRequest(page), out);
    }

    @Override
    public void publish(List<Stores> stores, Effects out) {
        Kind kind = rules.isImmediate() ? Kind.ANNOUNCED : Kind.PUBLISHED;
        for (Stores each : stores) {
            add(each.page(), each.number(), each.bytes(), kind);
        }
        outgoing.sendAll(out);
    }

    @Override
    public void announce(List<PageId> announced, long number, Effects out) {
        List<PageId> own = new ArrayList<>();
        for (PageId page : announced) {
            if (pages.isHome(page)) {
                own.add(page);
            } else {
                add(page, number, 0, Kind.PUBLISHED);
            }
        }
        outgoing.sendAll(out);
        if (!own.isEmpty()) {
            server.publish(
                    self, own, each -> own.forEach(_ -> results.published(number, each)), out);
        }
    }

    @Override
    public void takeMapped(Effects out) {
        results.mapped(List.of(), out);
    }

    @Override
    public void takeList(Effects out) {
        if (rules.isCentralized()) {
            out.send(MapServer.LIST, new ListRequest(read));
        } else {
            results.listTaken(listed.take(), out);
        }
    }

    @Override
    public void check(List<PageId> checked, Effects out) {
        forEachHome(
                checked,
                (home, some) -> {
                    checks++;
                    outgoing.send(home, new CheckRequest(some), out);
                });
    }

    @Override
    public void leave(List<PageId> left, Effects out) {
        left.forEach(listed::remove);
        forEachHome(
                left,
                (home, some) -> {
                    if (home.equals(self)) {
                        some.forEach(page -> server.leave(self, page));
                    } else {
                        outgoing.send(home, new Leave(some), out);
                    }
                });
    }

    /** Groups pages by home, and into parts of the size of a message. */
    private void forEachHome(List<PageId> all, BiConsumer<NodeId, List<PageId>> action) {
        forEach(all, context::homeOf, limits, action);
    }

    /** Groups pages by a node, and into parts of the size of a message. */
    static void forEach(
            List<PageId> all,
            Function<PageId, NodeId> node,
            MessageLimits limits,
            BiConsumer<NodeId, List<PageId>> action) {
        TreeMap<NodeId, List<PageId>> groups = new TreeMap<>();
        for (PageId page : all) {
            groups.computeIfAbsent(node.apply(page), _ -> new ArrayList<>()).add(page);
        }
        groups.forEach((to, some) -> chunks(some, limits, part -> action.accept(to, part)));
    }

    /** Divides pages into parts of the size of a message. */
    static <T> void chunks(List<T> all, MessageLimits limits, Consumer<List<T>> action) {
        for (int from = 0; from < all.size(); from += limits.pages()) {
            action.accept(all.subList(from, Math.min(from + limits.pages(), all.size())));
        }
    }

    private void add(PageId page, long number, int bytes, Kind kind) {
        outgoing.add(context.homeOf(page), new OutgoingStores.Part(page, number, bytes, kind));
    }

    // messages

    void onEnterReply(EnterReply reply, Effects out) {
        if (reply.listed()) {
            listed.add(reply.page());
        }
        results.entered(reply.page(), reply.unsafe(), reply.listed(), reply.image(), out);
    }

    void onPublishAck(NodeId from, PublishAck ack, Effects out) {
        outgoing.acknowledged(from, ack).forEach(part -> results.published(part.number(), out));
        outgoing.goOn(from, out);
    }

    void onNotices(NodeId from, Notices notices, Effects out) {
        for (PageId page : notices.pages()) {
            if (isMapped(page, notices)) {
                listed.add(page);
            }
        }
        out.send(from, new NoticesAck());
    }

    void onUnsafe(NodeId from, UnsafePages notices, Effects out) {
        for (PageId page : notices.pages()) {
            if (isMapped(page, notices)) {
                pages.checked().add(page);
            }
        }
        out.send(from, new NoticesAck());
    }

    /** True unless the copy is gone, about to be discarded, or newer than the notice. */
    private boolean isMapped(PageId page, Msg notices) {
        var entry = pages.entry(page);
        return switch (entry.state()) {
            case State.Clean _, State.Dirty _ -> true;
            case State.Absent(), State.Mapping _, State.Withdrawing _, State.Closing _ -> false;
            default -> throw new ProtocolViolation(entry, notices);
        };
    }

    void onCheckReply(CheckReply reply, Effects out) {
        stale.addAll(reply.pages());
        checks--;
        if (checks == 0) {
            List<PageId> all = List.copyOf(stale);
            stale.clear();
            results.checked(all, out);
        }
    }

    void onListReply(ListReply reply, Effects out) {
        reply.pages().forEach(listed::add);
        read = reply.last();
        if (reply.isComplete()) {
            results.listTaken(listed.take(), out);
        } else {
            out.send(MapServer.LIST, new ListRequest(read));
        }
    }
}
