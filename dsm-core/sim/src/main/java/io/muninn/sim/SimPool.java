package io.muninn.sim;

import io.muninn.api.spi.RegionSpec;
import io.muninn.diff.Diff;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.pool.CheckedWords;
import io.muninn.pool.CoherentMap;
import io.muninn.pool.LocalWords;
import io.muninn.pool.PoolLayout;
import io.muninn.pool.PoolRules;
import io.muninn.pool.PoolWords;
import io.muninn.spi.WeakRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Memory that the nodes of a host address: that of the regions of each of them, and the coherent
 * map of the pages with homes there, with a weak list of each node of the run. The frame of a page
 * is the memory of its home. Each operation is over at once, so the operations of all nodes have
 * one order.
 */
public final class SimPool {
    /** What a node has done to a page. */
    public enum Use {
        ENTERED,
        COPIED,
        FILLED,
        WRITTEN_BACK,
        PUBLISHED,
        LEFT
    }

    private record Region(RegionSpec spec, CoherentMap map, List<MemorySegment> memory) {}

    private final Simulation simulation;
    private final NodeId host;
    private final TreeMap<Integer, Region> regions = new TreeMap<>(); // by index

    /**
     * @param host its first node
     */
    SimPool(Simulation simulation, NodeId host) {
        this.simulation = simulation;
        this.host = host;
    }

    /** The first node of its host. */
    public NodeId host() {
        return host;
    }

    /** Adds a region, if no other node has. Returns the memory of a node. */
    MemorySegment add(RegionSpec spec, NodeId node, Arena arena) {
        if (!regions.containsKey(spec.index())) {
            add(spec, arena);
        }
        return added(new PageId(spec.index(), 0)).memory().get(node.index());
    }

    private void add(RegionSpec spec, Arena arena) {
        int nodes = simulation.cluster().nodes();
        WeakRules rules = simulation.cluster().updates().weak();
        PoolLayout layout = new PoolLayout(spec.pages(), nodes);
        PoolRules variant =
                new PoolRules(
                        rules.notices() == WeakRules.Notices.TRANSITION,
                        rules.unsafeAfter(),
                        rules.safeAfter());
        PoolWords words = new CheckedWords(layout, variant, new LocalWords(layout.words()));
        regions.put(
                spec.index(),
                new Region(
                        spec,
                        new CoherentMap(layout, variant, words),
                        IntStream.range(0, nodes)
                                .mapToObj(_ -> RegionMemory.allocate(arena, spec, nodes))
                                .toList()));
    }

    /** The map of a region's pages, which checkers only read. */
    public CoherentMap map(PageId page) {
        return region(page).map();
    }

    /** A page's frame, which callers must not change. */
    public MemorySegment frame(PageId page) {
        Region region = region(page);
        long bytes = region.spec().pageBytes();
        return region.memory().get(home(page)).asSlice(page.index() * bytes, bytes);
    }

    /** The node that uses the frame of a page in place. */
    public int home(PageId page) {
        return home(region(page).spec(), page.index());
    }

    int home(RegionSpec spec, int page) {
        Simulation.Cluster cluster = simulation.cluster();
        return spec.homeOf(page, cluster.nodes(), cluster.nodeThreads()).index();
    }

    private Region region(PageId page) {
        if (!hostOf(page).equals(host)) {
            throw new Violation(
                    SimPages.CHECKER,
                    "page " + page + " is not in the pool of the host of node " + host);
        }
        return added(page);
    }

    private Region added(PageId page) {
        Region region = regions.get(page.region());
        if (region == null) {
            throw new Violation(SimPages.CHECKER, "page " + page + " is in no pool");
        }
        return region;
    }

    /** The first node of the host of a page of any pool. */
    NodeId hostOf(PageId page) {
        NodeId home = NodeId.of(home(added(page).spec(), page.index()));
        return simulation.cluster().hosts().of(home);
    }

    private void tell(SimNode node, PageId page, Use use) {
        for (Observer observer : simulation.observers(Observers.Call.POOL)) {
            observer.onPool(node, page, use);
        }
    }

    boolean enter(SimNode node, PageId page) {
        boolean isUnsafe = map(page).enter(node.id().index(), page.index());
        map(page).tellHome(home(page), page.index());
        tell(node, page, Use.ENTERED);
        return isUnsafe;
    }

    /** The content of a frame, which a node copies now. */
    MemorySegment copy(NodeId node, PageId page) {
        if (!map(page).isMapper(node.index(), page.index())) {
            throw new Violation(
                    SimPages.CHECKER,
                    "node " + node + " copies page " + page + ", and has not entered it");
        }
        tell(simulation.node(node), page, Use.COPIED);
        return frame(page);
    }

    void fill(SimNode node, PageId page, MemorySegment content) {
        if (content.byteSize() == 0) {
            frame(page).fill((byte) 0);
        } else {
            frame(page).copyFrom(content);
        }
        tell(node, page, Use.FILLED);
    }

    void writeBack(SimNode node, PageId page, MemorySegment diff) {
        Diff.apply(diff, frame(page), region(page).spec().granuleBytes());
        tell(node, page, Use.WRITTEN_BACK);
    }

    boolean publish(SimNode node, PageId page) {
        boolean isMarked = map(page).publish(node.id().index(), page.index());
        tell(node, page, Use.PUBLISHED);
        return isMarked;
    }

    List<PageId> takeList(SimNode node) {
        List<PageId> listed = new ArrayList<>();
        regions.forEach((index, region) ->
                region.map()
                        .takeList(node.id().index(), page -> listed.add(new PageId(index, page))));
        return listed;
    }

    List<PageId> takeMapped(SimNode node) {
        List<PageId> mapped = new ArrayList<>();
        regions.forEach((index, region) ->
                region.map()
                        .takeEntered(
                                node.id().index(),
                                region.spec().pages(),
                                page -> mapped.add(new PageId(index, page))));
        return mapped;
    }

    boolean check(SimNode node, PageId page) {
        return map(page).check(node.id().index(), page.index());
    }

    void leave(SimNode node, PageId page) {
        map(page).leave(node.id().index(), page.index());
        tell(node, page, Use.LEFT);
    }
}
