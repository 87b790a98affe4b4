package io.muninn.verify.check;

import io.muninn.coherence.weak.WeakMessages.ContentReply;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.Notices;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.WeakRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When a home acknowledges a publication of a weak page, every other node whose copy lacks its
 * stores, or will, has a notice of the page, or checks it at each acquire, or is discarding it.
 *
 * <p>With a centralized list a node has no notices of its own, and only the values that its threads
 * load are checked. Pools have notices in their maps, see {@link PooledCopies}.
 */
final class PublishedCopies implements Checker {
    static final String NAME = "published copies";

    /** What a node has of a page. */
    private static final class Copy {
        static final long NONE = Long.MAX_VALUE;

        long version = NONE; // number of publications in the copy
        boolean isWeak; // it has a notice, or checks the page
        long arriving = NONE; // that of the copy that its home has sent
        boolean isArrivingWeak;
    }

    private record Publication(NodeId writer, NodeId home, long number) {}

    private static final class Frame {
        final Copy[] copies; // by node
        final Map<Publication, Long> versions = new HashMap<>(); // unacknowledged
        long version;

        Frame(int nodes) {
            copies = new Copy[nodes];
            for (int i = 0; i < nodes; i++) {
                copies[i] = new Copy();
            }
        }
    }

    private final ClusterView overview;
    private final PerPage<Frame> frames;
    private final Map<Publication, List<PageId>> published = new HashMap<>(); // unacknowledged
    private boolean sendsNotices;

    PublishedCopies(ClusterView overview) {
        this.overview = overview;
        this.frames = new PerPage<>(_ -> new Frame(overview.nodes()));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        WeakRules rules = simulation.cluster().updates().weak();
        sendsNotices = !rules.isCentralized() && !rules.isPooled();
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        if (!sendsNotices || !overview.isWhole()) {
            return;
        }
        if (event instanceof Event.MessageArrived(NodeId from, Publish publish, long _)
                && publish.announces()) {
            Publication publication = new Publication(from, node.id(), publish.number());
            published.put(publication, publish.pages());
            for (PageId page : publish.pages()) {
                Frame frame = frames.of(page);
                frame.version++;
                frame.versions.put(publication, frame.version);
            }
        } else if (event instanceof Event.MessageArrived(NodeId _, ContentReply reply, long _)
                && reply.maps()) {
            frames.of(reply.page()).copies[NodeId.ROOT.index()].version = 0;
        }
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Send(NodeId to, EnterReply reply) -> {
                    Frame frame = frames.of(reply.page());
                    Copy copy = frame.copies[to.index()];
                    copy.arriving = frame.version;
                    copy.isArrivingWeak = reply.unsafe() || reply.listed();
                }
                case Effect.Discard(PageId page) ->
                        frames.of(page).copies[index(node)] = gone(node, page);
                case Effect.Send(NodeId to, PublishAck ack) ->
                        acknowledged(new Publication(to, node.id(), ack.number()));
                default -> {} // neither copies a frame nor acknowledges
            }
        }
        if (event instanceof Event.MessageArrived(NodeId _, EnterReply reply, long _)) {
            arrived(node, reply);
        } else if (event instanceof Event.MessageArrived(NodeId _, Notices notices, long _)) {
            noticed(node, notices.pages());
        } else if (event instanceof Event.MessageArrived(NodeId _, UnsafePages notices, long _)) {
            noticed(node, notices.pages());
        }
    }

    private static int index(SimNode node) {
        return node.id().index();
    }

    /** The copy that a node has asked for may have been sent before it discards the present one. */
    private Copy gone(SimNode node, PageId page) {
        Copy before = frames.of(page).copies[index(node)];
        Copy after = new Copy();
        after.arriving = before.arriving;
        after.isArrivingWeak = before.isArrivingWeak;
        return after;
    }

    private void arrived(SimNode node, EnterReply reply) {
        Copy copy = frames.of(reply.page()).copies[index(node)];
        if (node.pages().isPresent(reply.page())) {
            copy.version = copy.arriving;
            copy.isWeak = copy.isArrivingWeak;
        }
        copy.arriving = Copy.NONE;
    }

    private void noticed(SimNode node, List<PageId> pages) {
        for (PageId page : pages) {
            Copy copy = frames.of(page).copies[index(node)];
            copy.isWeak |= copy.version != Copy.NONE;
        }
    }

    private void acknowledged(Publication publication) {
        List<PageId> pages = published.remove(publication);
        if (pages == null) {
            return; // it had been announced
        }
        for (PageId page : pages) {
            Frame frame = frames.of(page);
            Long version = frame.versions.remove(publication);
            for (int i = 0; version != null && i < frame.copies.length; i++) {
                if (i != publication.writer().index()) {
                    check(page, i, frame.copies[i], version, publication);
                }
            }
        }
    }

    private void check(PageId page, int node, Copy copy, long version, Publication publication) {
        boolean isOld = copy.version < version && !copy.isWeak;
        boolean willBeOld = copy.arriving < version && !copy.isArrivingWeak;
        if (isOld || willBeOld) {
            throw violation(
                    overview.describe(node, page)
                            + (isOld ? " lacks" : " is getting a copy without")
                            + " stores that "
                            + publication
                            + " has published, and has no notice");
        }
    }
}
