package io.muninn.verify.check;

import io.muninn.coherence.weak.WeakMessages;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.pool.CoherentMap;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPool;
import io.muninn.sim.Simulation;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Hosts;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.WireMessage;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * When a page of a pool has been published, each other mapper has a copy with these stores, or will
 * copy the frame, or has a notice in the map. No release is performed while stores are written back
 * and not published. A node that has access to a page is its mapper or its home. Messages about
 * such a page are sent only between the first node of its host and nodes of other hosts.
 */
final class PooledCopies extends PageChecker {
    static final String NAME = "pooled copies";

    /** Numbers of write-backs to a frame. */
    private static final class Frame {
        static final long NONE = Long.MAX_VALUE;

        final long[] copies; // the last one in the copy, by node; NONE if there is no copy
        final long[] written; // the last one of a node
        long last;

        Frame(int nodes) {
            copies = new long[nodes];
            written = new long[nodes];
            Arrays.fill(copies, NONE);
        }
    }

    private final PerPage<Frame> frames;
    private TreeSet<PageId>[] unpublished = newSets(0); // by node
    private boolean isImmediate;

    PooledCopies(ClusterView overview) {
        super(overview);
        this.frames = new PerPage<>(_ -> new Frame(overview.nodes()));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // generic arrays cannot be created otherwise
    private static TreeSet<PageId>[] newSets(int count) {
        TreeSet<PageId>[] sets = new TreeSet[count];
        for (int i = 0; i < count; i++) {
            sets[i] = new TreeSet<>();
        }
        return sets;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        unpublished = newSets(simulation.cluster().nodes());
        isImmediate = simulation.cluster().updates().weak().isImmediate();
    }

    @Override
    public void onPool(SimNode node, PageId page, SimPool.Use use) {
        int at = node.id().index();
        Frame frame = frames.of(page);
        switch (use) {
            case ENTERED, FILLED -> {} // copies later, or not at all
            case COPIED -> frame.copies[at] = frame.last;
            case LEFT -> frame.copies[at] = Frame.NONE;
            case WRITTEN_BACK -> {
                frame.last++;
                frame.written[at] = frame.last;
                if (!isImmediate) {
                    unpublished[at].add(page);
                }
            }
            case PUBLISHED -> {
                if (node.simulation().pools().of(page).home(page) == at) { // it stores in place
                    frame.last++;
                    frame.written[at] = frame.last;
                }
                unpublished[at].remove(page);
                published(node, page, frame);
            }
        }
    }

    private void published(SimNode by, PageId page, Frame frame) {
        int writer = by.id().index();
        CoherentMap map = by.simulation().pools().of(page).map(page);
        for (int i = 0; i < frame.copies.length; i++) {
            boolean isOld = frame.copies[i] < frame.written[writer];
            if (i != writer
                    && isOld
                    && !map.isListed(i, page.index())
                    && !map.isStale(i, page.index())) {
                throw violation(
                        overview().describe(i, page)
                                + " lacks stores that node "
                                + writer
                                + " has published, and has no notice");
            }
        }
    }

    @Override
    public void onReleasePerformed(SimNode node, GatedRelease release) {
        TreeSet<PageId> left = unpublished[node.id().index()];
        if (!left.isEmpty()) {
            throw violation(
                    node.describe(left.first())
                            + " has stores in its frame that are not published, and "
                            + release
                            + " is performed");
        }
    }

    @Override
    public void onMessage(SimNode from, NodeId to, WireMessage message, int bytes) {
        boolean isPooled = from.simulation().cluster().updates().weak().isPooled();
        if (message instanceof ProtocolMessage about
                && (isPooled && message instanceof WeakMessages.Msg
                        || about.pages().stream()
                                .anyMatch(page -> from.traits(page).has(Trait.POOLED)))
                && !isOfTwoHosts(from, to, about)) {
            throw violation("node " + from.id() + " sends node " + to + " " + message);
        }
    }

    private static boolean isOfTwoHosts(SimNode from, NodeId to, ProtocolMessage message) {
        Hosts hosts = from.simulation().cluster().hosts();
        return !hosts.areTogether(from.id(), to)
                && message.pages().stream()
                        .map(page -> from.simulation().pools().of(page).host())
                        .allMatch(host -> host.equals(from.id()) || host.equals(to));
    }

    @Override
    protected void check(PageId page) {
        if (!overview().traits(page).has(Trait.POOLED)) {
            return;
        }
        CoherentMap map = overview().simulation().pools().of(page).map(page);
        for (int i = 0; i < overview().nodes(); i++) {
            SimNode node = overview().node(i);
            boolean hasAccess =
                    i != overview().simulation().pools().of(page).home(page)
                            && node.pages().access(page) != PageAccess.NONE;
            if (hasAccess && !isInitial(i, page) && !map.isMapper(i, page.index())) {
                throw violation(
                        overview().describe(i, page) + " has access, and is no mapper in the map");
            }
        }
    }

    /** Whether the initialization uses the page, or has just ended. */
    private boolean isInitial(int node, PageId page) {
        return overview().contract(node, page).access() == PageAccess.READ_WRITE
                        && !overview().contract(node, page).is(Mark.TWIN)
                || node == 0 && overview().node(0).pages().isWithdrawing(page)
                || !overview().isWhole();
    }
}
