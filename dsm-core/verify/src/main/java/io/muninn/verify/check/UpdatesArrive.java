package io.muninn.verify.check;

import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When a node frees a sent diff, because all receivers have acknowledged it, every copy contains
 * it, including copies in transit: the diff was applied, or it is in the image from which the copy
 * was made. Acknowledgements of copies that no longer exist do not count.
 *
 * <p>No image lacks a diff that an earlier copy of the node contained, whether acknowledged by all
 * nodes or not. Otherwise threads of the node would see an older store again.
 *
 * <p>Values are not compared: for each copy, the contained diffs of each node are tracked.
 *
 * <p>Nothing is checked once a node is lost.
 */
public final class UpdatesArrive implements Checker {
    public static final String NAME = "updates arrive";

    /** For one page: for each copy, the last interval of each node whose diff it contains. */
    private static final class Applied {
        private final long[][] copies; // by node that holds the copy, then by node that stored
        private final long[][] images; // the same for the image in transit to a node
        final long[] offered; // the last interval that a node has sent

        Applied(int nodes) {
            copies = new long[nodes][];
            images = new long[nodes][];
            offered = new long[nodes];
        }

        long[] copy(int node) {
            return row(copies, node);
        }

        long[] image(int node) {
            return row(images, node);
        }

        private long[] row(long[][] rows, int node) {
            if (rows[node] == null) {
                rows[node] = new long[rows.length];
            }
            return rows[node];
        }

        void send(int from, int to) {
            images[to] = copy(from).clone();
        }

        void install(int node) {
            copies[node] = image(node).clone();
        }
    }

    /** An update that waits for an image. */
    private record Kept(int from, long interval) {}

    private final ClusterView overview;
    private final PerPage<Applied> pages;
    private final Map<Long, Kept> kept = new TreeMap<>(); // by node and number of the keep

    public UpdatesArrive(ClusterView overview) {
        this.overview = overview;
        this.pages = new PerPage<>(_ -> new Applied(overview.nodes()));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.DiffSaved saved
                && saved.granules() > 0
                && isUpdated(saved.page())) {
            int at = node.id().index();
            pages.of(saved.page()).copy(at)[at] = saved.interval();
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        int at = node.id().index();
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ApplyDiff(PageId page, Payload diff) -> apply(at, page, diff, event);
                case Effect.KeepDiff(PageId _, long keep, Payload _) ->
                        kept.put(key(at, keep), new Kept(from(event), interval(event)));
                case Effect.DropKept(PageId _, long keep) -> kept.remove(key(at, keep));
                case Effect.Send(NodeId to, WireMessage message) -> send(at, to.index(), message);
                case Effect.InstallPage(_, PageId page, _, _) -> install(at, page);
                case Effect.DropDiff(PageId page, long interval) -> check(at, page, interval);
                default -> {} // moves no diff
            }
        }
    }

    /** True if releases bring every copy up to date. */
    private boolean isUpdated(PageId page) {
        return !overview.traits(page).has(Trait.ACQUIRES_INVALIDATE);
    }

    private void apply(int at, PageId page, Payload diff, Event event) {
        Kept update = new Kept(from(event), interval(event));
        if (diff instanceof Payload.KeptDiff(PageId _, long keep)) {
            update = kept.remove(key(at, keep));
        }
        if (update != null && update.from() >= 0) {
            long[] copy = pages.of(page).copy(at);
            copy[update.from()] = Math.max(copy[update.from()], update.interval());
        }
    }

    private void send(int from, int to, WireMessage message) {
        switch (message) {
            case PageReply reply -> {
                for (PageId page : reply.pages()) {
                    pages.of(page).send(from, to);
                }
            }
            case Update update ->
                    update.pages().forEach(page -> offer(from, page, update.interval()));
            case UpdateList list ->
                    list.pages().forEach(page -> offer(from, page, list.interval()));
            default -> {} // carries no diff
        }
    }

    private void offer(int from, PageId page, long interval) {
        pages.of(page).offered[from] = interval;
    }

    private void install(int at, PageId page) {
        Applied applied = pages.of(page);
        long[] before = applied.copy(at);
        applied.install(at);
        long[] image = applied.copy(at);
        for (int i = 0; i < image.length; i++) {
            if (image[i] < before[i] && overview.isWhole()) {
                throw violation(
                        overview.describe(at, page)
                                + " got an image with the diffs of node "
                                + i
                                + " up to interval "
                                + image[i]
                                + ", and had them up to interval "
                                + before[i]);
            }
        }
    }

    private void check(int from, PageId page, long interval) {
        Applied applied = pages.of(page);
        if (applied.offered[from] != interval || !overview.isWhole()) {
            return; // no other node held the page, or nothing had changed
        }
        for (int i = 0; i < overview.nodes(); i++) {
            if (overview.node(i).pages().isPresent(page)) {
                check(from, page, interval, i, applied.copy(i));
            }
        }
        for (ClusterView.Sent sent : overview.underway(page)) {
            if (sent.message() instanceof PageReply) {
                check(from, page, interval, sent.to(), applied.image(sent.to()));
            }
        }
    }

    private void check(int from, PageId page, long interval, int holder, long[] copy) {
        if (copy[from] < interval) {
            throw violation(
                    overview.describe(from, page)
                            + " has flushed its interval "
                            + interval
                            + ", but the copy of node "
                            + holder
                            + " has its diffs up to interval "
                            + copy[from]
                            + " only");
        }
    }

    private static int from(Event event) {
        return event instanceof Event.MessageArrived(NodeId from, WireMessage _, long _)
                ? from.index()
                : -1;
    }

    private static long interval(Event event) {
        return event instanceof Event.MessageArrived(_, Update update, long _)
                ? update.interval()
                : 0;
    }

    private static long key(int node, long keep) {
        return (long) node << 48 | keep;
    }
}
