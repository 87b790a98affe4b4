package io.muninn.coherence.weak;

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
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.PublishedPage;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.directory.PageQueue;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WeakRules;
import io.muninn.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The pool by messages: frame and map of a page are at its home ({@link MapServer}), the weak list
 * of a node is here, or one list for all is on the root.
 *
 * <p><b>Order.</b> Messages about a page are sent in order, so the copy that this node requests has
 * the stores that it has published. All messages of a home to this node arrive in order: a notice
 * that meets a request for the page is older than the reply. So this node forgets notices of pages
 * that it is discarding or entering.
 *
 * <p>The number of unacknowledged bytes for each home has a limit. The rest is queued here, unless
 * another message about one of its pages is to be sent.
 */
final class HomesPool implements Pool {
    /**
     * @param bytes length of the diff; 0 if there is none
     */
    private record Part(PageId page, long number, int bytes, boolean announces) {}

    private record Sent(List<Part> parts, long bytes) {}

    private static final class Home {
        final ArrayDeque<Part> queue = new ArrayDeque<>();
        final Map<Long, Sent> unacknowledged = new LinkedHashMap<>(); // by number
        long last; // number of the last publication
        long bytes; // of the unacknowledged ones
    }

    private final Context context;
    private final NodeId self;
    private final WeakPages pages;
    private final Results results;
    private final MapServer server;
    private final WeakRules rules;
    private final MessageLimits limits;
    private final TreeMap<NodeId, Home> homes = new TreeMap<>();
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
    }

    // operations

    @Override
    public void enter(PageId page, Effects out) {
        listed.remove(page);
        send(context.homeOf(page), new EnterRequest(page), out);
    }

    @Override
    public void publish(List<Stores> stores, Effects out) {
        for (Stores each : stores) {
            add(each.page(), each.number(), each.bytes(), !rules.isImmediate());
        }
        homes.forEach((node, home) -> send(node, home, out));
    }

    @Override
    public void announce(List<PageId> announced, long number, Effects out) {
        List<PageId> own = new ArrayList<>();
        for (PageId page : announced) {
            if (pages.isHome(page)) {
                own.add(page);
            } else {
                add(page, number, 0, true);
            }
        }
        homes.forEach((node, home) -> send(node, home, out));
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
                    send(home, new CheckRequest(some), out);
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
                        send(home, new Leave(some), out);
                    }
                });
    }

    private interface Action {
        void on(NodeId home, List<PageId> pages);
    }

    /** Groups pages by home, and into parts of the size of a message. */
    private void forEachHome(List<PageId> all, Action action) {
        TreeMap<NodeId, List<PageId>> byHome = new TreeMap<>();
        for (PageId page : all) {
            byHome.computeIfAbsent(context.homeOf(page), _ -> new ArrayList<>()).add(page);
        }
        byHome.forEach((home, some) -> chunks(some, limits, part -> action.on(home, part)));
    }

    /** Divides pages into parts of the size of a message. */
    static <T> void chunks(List<T> all, MessageLimits limits, Consumer<List<T>> action) {
        for (int from = 0; from < all.size(); from += limits.pages()) {
            action.accept(all.subList(from, Math.min(from + limits.pages(), all.size())));
        }
    }

    // sending

    private void add(PageId page, long number, int bytes, boolean announces) {
        home(context.homeOf(page)).queue.add(new Part(page, number, bytes, announces));
    }

    private Home home(NodeId node) {
        return homes.computeIfAbsent(node, _ -> new Home());
    }

    private void send(NodeId to, Msg message, Effects out) {
        Home home = home(to);
        if (!home.queue.isEmpty()) {
            TreeSet<PageId> about = new TreeSet<>(message.pages());
            while (home.queue.stream().anyMatch(part -> about.contains(part.page()))) {
                sendParts(to, home, out);
            }
        }
        out.send(to, message);
    }

    /** Sends as much as the limit permits. */
    private void send(NodeId node, Home home, Effects out) {
        while (!home.queue.isEmpty() && home.bytes < limits.windowBytes()) {
            sendParts(node, home, out);
        }
    }

    private void sendParts(NodeId node, Home home, Effects out) {
        boolean announces = home.queue.element().announces();
        List<Part> parts = new ArrayList<>();
        long bytes = 0;
        while (parts.size() < limits.pages()
                && bytes < limits.diffBytes()
                && !home.queue.isEmpty()
                && home.queue.element().announces() == announces) {
            Part part = home.queue.remove();
            parts.add(part);
            bytes += part.bytes();
        }
        home.last++;
        home.bytes += bytes;
        home.unacknowledged.put(home.last, new Sent(parts, bytes));
        List<PublishedPage> published =
                parts.stream().map(part -> new PublishedPage(part.page(), payload(part))).toList();
        out.send(node, new Publish(home.last, announces, published));
        for (Part part : parts) {
            if (part.bytes() > 0) {
                out.dropDiff(part.page(), part.number());
            }
        }
    }

    private static Payload payload(Part part) {
        return part.bytes() == 0 ? Payload.NONE : new Payload.SavedDiff(part.page(), part.number());
    }

    // messages

    void onEnterReply(EnterReply reply, Effects out) {
        if (reply.listed()) {
            listed.add(reply.page());
        }
        results.entered(reply.page(), reply.unsafe(), reply.listed(), reply.image(), out);
    }

    void onPublishAck(NodeId from, PublishAck ack, Effects out) {
        Home home = home(from);
        Sent sent = home.unacknowledged.remove(ack.number());
        if (sent == null) {
            throw new ProtocolViolation("node=" + from + " event=" + ack + ": not published");
        }
        home.bytes -= sent.bytes();
        for (Part part : sent.parts()) {
            results.published(part.number(), out);
        }
        send(from, home, out);
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
