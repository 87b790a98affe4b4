package io.muninn.coherence.weak;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.weak.Weak.State;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListPost;
import io.muninn.coherence.weak.WeakMessages.ListRequest;
import io.muninn.coherence.weak.WeakMessages.Listed;
import io.muninn.coherence.weak.WeakMessages.Notices;
import io.muninn.coherence.weak.WeakMessages.NoticesAck;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.PublishedPage;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.pool.CoherentMap;
import io.muninn.pool.LocalWords;
import io.muninn.pool.PoolLayout;
import io.muninn.pool.PoolRules;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WeakRules;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The operations of a node as a home: it keeps the frames of its pages and their part of the
 * coherent map. The weak lists in the map are outboxes, whose pages are sent to their nodes or to
 * the centralized list.
 *
 * <p><b>Notices that are not sent.</b> A mapper that has a notice of a page, and has not left the
 * page since, needs no other; a later publication waits until the mapper has acknowledged it.
 *
 * <p><b>Settling.</b> A page that has become unsafe is settled in the map when its last notices are
 * acknowledged, and its publisher has acknowledged that it must check the page. Until then the
 * publications of others send notices, too.
 */
final class MapServer {
    /** The node with the centralized list. */
    static final NodeId LIST = NodeId.ROOT;

    /** A publication whose notices are not acknowledged. */
    private record Pending(
            Map<NodeId, Long> missing, List<PageId> marked, Consumer<Effects> performed) {}

    /** Notices of one operation. */
    private static final class Outbox {
        final TreeMap<NodeId, List<PageId>> unsent = new TreeMap<>();
        final TreeMap<NodeId, Long> missing = new TreeMap<>(); // numbers to be acknowledged
        final List<Listed> centralized = new ArrayList<>();
    }

    private final Context context;
    private final NodeId self;
    private final WeakPages pages;
    private final WeakRules rules;
    private final MessageLimits limits;
    private final Map<Integer, CoherentMap> maps = new LinkedHashMap<>(); // by region
    private final PageMap<List<NodeId>> deferred = new PageMap<>(); // oldest first
    private final PageMap<Map<NodeId, Long>> noticed = new PageMap<>(); // numbers of notices
    private final long[] sent; // notices by node
    private final long[] acknowledged;
    private final List<Pending> pending = new ArrayList<>();
    private final CentralList central = new CentralList();

    MapServer(Context context, WeakPages pages) {
        this.context = context;
        this.self = context.self();
        this.pages = pages;
        this.rules = context.updates().weak();
        this.limits = context.updates().limits();
        this.sent = new long[context.nodes()];
        this.acknowledged = new long[context.nodes()];
    }

    void add(RegionSpec region) {
        PoolLayout layout = new PoolLayout(region.pages(), context.nodes());
        boolean listsAtTransition = rules.notices() == WeakRules.Notices.TRANSITION;
        int noticesMax = rules.isCentralized() ? Integer.MAX_VALUE : rules.unsafeAfter();
        PoolRules variant = new PoolRules(listsAtTransition, noticesMax, rules.safeAfter());
        maps.put(region.index(), new CoherentMap(layout, variant, new LocalWords(layout.words())));
    }

    private CoherentMap map(PageId page) {
        CoherentMap map = maps.get(page.region());
        if (map == null) {
            throw new ProtocolViolation("page " + page + " is in no coherent map");
        }
        return map;
    }

    // mappers

    void onEnterRequest(NodeId from, EnterRequest request, Effects out) {
        DirectoryEntry<State> entry = pages.entry(request.page());
        switch (entry.state()) {
            case State.Unfilled(), State.Filling _ -> {
                List<NodeId> waiting = deferred.get(request.page());
                if (waiting == null) {
                    waiting = new ArrayList<>();
                    deferred.put(request.page(), waiting);
                }
                waiting.add(from);
            }
            case State.Idle(), State.HomeClean(), State.HomeDirty() -> {
                ProtocolViolation.check(pages.isHome(request.page()), entry, request);
                enter(from, request.page(), out);
            }
            default -> throw new ProtocolViolation(entry, request);
        }
    }

    /** Enters a mapper, then copies the frame for it. */
    private void enter(NodeId node, PageId page, Effects out) {
        forget(node, page);
        boolean isChecked = map(page).enter(node.index(), page.index());
        Outbox outbox = new Outbox();
        boolean isListed = collect(new Listed(page, node, false), node, outbox);
        deliver(outbox, out); // no release waits for these
        out.count(NodeCounter.PAGES_SENT);
        out.send(node, new EnterReply(page, isChecked, isListed, new Payload.LiveImage(page)));
    }

    /**
     * The frame has its first content.
     *
     * @param isMappedByRoot the root keeps its copy
     */
    void filled(PageId page, boolean isMappedByRoot, Effects out) {
        if (isMappedByRoot) {
            map(page).enter(NodeId.ROOT.index(), page.index());
        }
        List<NodeId> waiting = deferred.remove(page);
        if (waiting != null) {
            waiting.forEach(node -> enter(node, page, out));
        }
    }

    void onCheckRequest(NodeId from, CheckRequest request, Effects out) {
        List<PageId> stale = new ArrayList<>();
        for (PageId page : request.pages()) {
            checkServed(page, request);
            if (map(page).check(from.index(), page.index())) {
                stale.add(page);
            }
        }
        out.send(from, new CheckReply(stale));
    }

    void onLeave(NodeId from, Leave leave) {
        for (PageId page : leave.pages()) {
            checkServed(page, leave);
            leave(from, page);
        }
    }

    private void checkServed(PageId page, Object event) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.HomeClean(), State.HomeDirty() -> {}
            default -> throw new ProtocolViolation(entry, event);
        }
    }

    /** Removes a mapper, which has discarded its copy. */
    void leave(NodeId node, PageId page) {
        map(page).leave(node.index(), page.index());
    }

    /** The node's next copy of the page needs notices of its own. */
    private void forget(NodeId node, PageId page) {
        Map<NodeId, Long> numbers = noticed.get(page);
        if (numbers != null) {
            numbers.remove(node);
        }
    }

    // publications

    void onPublish(NodeId from, Publish publish, Effects out) {
        List<PageId> published = new ArrayList<>();
        for (PublishedPage each : publish.published()) {
            apply(from, each, publish, out);
            published.add(each.page());
        }
        Consumer<Effects> performed = each -> each.send(from, new PublishAck(publish.number()));
        if (publish.announces()) {
            publish(from, published, performed, out);
        } else {
            performed.accept(out);
        }
    }

    private void apply(NodeId from, PublishedPage published, Publish publish, Effects out) {
        DirectoryEntry<State> entry = pages.entry(published.page());
        switch (entry.state()) {
            case State.Unfilled(), State.Filling _ -> { // the root's image will contain it
                ProtocolViolation.check(from.isRoot(), entry, publish);
                return;
            }
            case State.Idle() -> {
                ProtocolViolation.check(pages.isHome(published.page()), entry, publish);
                out.installPage(published.page(), Payload.ZERO_PAGE, PageAccess.NONE);
                entry.become(State.HOME_CLEAN);
            }
            case State.HomeClean(), State.HomeDirty() -> {}
            default -> throw new ProtocolViolation(entry, publish);
        }
        if (!(published.diff() instanceof Payload.None)) {
            out.applyDiff(published.page(), published.diff());
        }
    }

    /**
     * Publishes stores that are in the frames, or follow.
     *
     * @param performed runs when all mappers that need notices have them
     */
    void publish(NodeId writer, List<PageId> published, Consumer<Effects> performed, Effects out) {
        Outbox outbox = new Outbox();
        List<PageId> marked = new ArrayList<>();
        boolean isKept = rules.notices() == WeakRules.Notices.PUBLISH;
        for (PageId page : published) {
            if (map(page).announce(writer.index(), page.index())) {
                marked.add(page);
            }
            collect(new Listed(page, writer, isKept), self, outbox);
        }
        deliver(outbox, out);
        if (!writer.equals(self)) { // a home's own copy is the frame
            HomesPool.chunks(
                    marked,
                    limits,
                    part -> {
                        out.send(writer, new UnsafePages(part));
                        outbox.missing.put(writer, number(writer));
                    });
        }
        Pending next = new Pending(outbox.missing, marked, performed);
        if (outbox.missing.isEmpty()) {
            perform(next, out);
        } else {
            pending.add(next);
        }
    }

    private void perform(Pending publication, Effects out) {
        publication.marked().forEach(page -> map(page).settle(page.index()));
        publication.performed().accept(out);
    }

    void onNoticesAck(NodeId from, NoticesAck ack, Effects out) {
        long number = ++acknowledged[from.index()];
        if (number > sent[from.index()]) {
            throw new ProtocolViolation("node=" + from + " event=" + ack + ": not sent");
        }
        List<Pending> performed = new ArrayList<>();
        pending.removeIf(each -> {
            each.missing().remove(from, number);
            boolean isLast = each.missing().isEmpty();
            if (isLast) {
                performed.add(each);
            }
            return isLast;
        });
        performed.forEach(each -> perform(each, out));
    }

    // notices

    private long number(NodeId node) {
        return ++sent[node.index()];
    }

    /**
     * Takes the notices of a page from the lists of its mappers.
     *
     * @param about stands for all of them in the centralized list
     * @param entering this node gets its notice with the reply; the home itself needs none
     * @return true if there was one for it
     */
    private boolean collect(Listed about, NodeId entering, Outbox outbox) {
        boolean[] isListed = new boolean[1];
        boolean[] isCentralized = new boolean[1];
        for (int i = 0; i < context.nodes(); i++) {
            NodeId node = NodeId.of(i);
            map(about.page())
                    .takeList(
                            i,
                            index -> {
                                PageId page = new PageId(about.page().region(), index);
                                if (node.equals(entering)) {
                                    isListed[0] = true;
                                } else if (rules.isCentralized()) {
                                    isCentralized[0] = true;
                                } else if (!node.equals(self)) {
                                    collect(node, page, outbox);
                                }
                            });
        }
        if (isCentralized[0]) {
            outbox.centralized.add(about);
        }
        return isListed[0];
    }

    private void collect(NodeId node, PageId page, Outbox outbox) {
        Map<NodeId, Long> numbers = noticed.get(page);
        Long number = numbers == null ? null : numbers.get(node);
        if (number == null) {
            outbox.unsent.computeIfAbsent(node, _ -> new ArrayList<>()).add(page);
        } else if (number > acknowledged[node.index()]) {
            outbox.missing.merge(node, number, Math::max);
        }
    }

    private void deliver(Outbox outbox, Effects out) {
        outbox.unsent.forEach((node, unsent) ->
                HomesPool.chunks(
                        unsent,
                        limits,
                        part -> {
                            out.send(node, new Notices(part));
                            long number = number(node);
                            outbox.missing.put(node, number);
                            part.forEach(page -> noticed(node, page, number));
                        }));
        HomesPool.chunks(
                outbox.centralized,
                limits,
                part -> {
                    out.send(LIST, new ListPost(part));
                    outbox.missing.put(LIST, number(LIST));
                });
    }

    private void noticed(NodeId node, PageId page, long number) {
        Map<NodeId, Long> numbers = noticed.get(page);
        if (numbers == null) {
            numbers = new LinkedHashMap<>();
            noticed.put(page, numbers);
        }
        numbers.put(node, number);
    }

    // the centralized list

    void onListPost(NodeId from, ListPost post, Effects out) {
        central.append(post.listed());
        out.send(from, new NoticesAck());
    }

    void onListRequest(NodeId from, ListRequest request, Effects out) {
        out.send(from, central.read(from.index(), request.after(), limits.pages()));
    }
}
