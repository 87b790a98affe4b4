package io.muninn.agent.memory;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.nativefault.BrokenPoolException;
import io.muninn.pool.BrokenMapException;
import io.muninn.pool.CoherentMap;
import io.muninn.pool.MapAudit;
import io.muninn.spi.Hosts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The coherent map of a pool as one node uses it: pages by their names. Every word is checked when
 * it is read, and this node's own bits against the copies that it has: {@link
 * io.muninn.pool.CheckedWords} says what that notices.
 *
 * <p><b>Errors.</b> {@link BrokenPoolException}, with page and variable.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class NodeMap {
    private final CoherentMap map;
    private final MapAudit audit;
    private final int node;
    private final int nodes;
    private Hosts hosts; // that share pools; one until others are met
    private final NodeThreads threads;
    private final PageTable table;

    /**
     * @param threads of each node
     */
    NodeMap(HostPool pool, int node, NodeThreads threads, PageTable table) {
        this(pool.map(), pool.audit(), node, pool.nodes(), threads, table);
    }

    private NodeMap(
            CoherentMap map,
            MapAudit audit,
            int node,
            int nodes,
            NodeThreads threads,
            PageTable table) {
        this.map = map;
        this.audit = audit;
        this.node = node;
        this.nodes = nodes;
        this.hosts = Hosts.one(nodes);
        this.threads = threads;
        this.table = table;
    }

    /** The map as this node uses it for another one. */
    NodeMap of(int other) {
        return new NodeMap(map, audit, other, nodes, threads, table);
    }

    /** The map's number of a page: that of its first machine page. */
    private int number(PageId page) {
        return Math.toIntExact(table.offset(page) / RegionSpec.MACHINE_PAGE_BYTES);
    }

    /** The node that uses the frame of a page in place. */
    int home(PageId page) {
        return home(table.region(page), page.index());
    }

    int home(RegionSpec region, int page) {
        return region.homeOf(page, nodes, threads).index();
    }

    boolean isHome(PageId page) {
        return home(page) == node;
    }

    /** Learns which nodes share a pool. */
    void meet(Hosts met) {
        hosts = met;
    }

    private boolean isNear(PageId page) {
        return hosts.areTogether(NodeId.of(node), NodeId.of(home(page)));
    }

    /**
     * As a trap does, before it copies.
     *
     * @return true if the node must check the page at each acquire
     */
    boolean enter(PageId page) {
        return performed(() -> {
            boolean isUnsafe = map.enter(node, number(page));
            map.tellHome(home(page), number(page));
            return isUnsafe;
        });
    }

    /** Checks the words of a page that a trap has entered, which looks at them once. */
    void enteredByTrap(PageId page) {
        performed(() -> verify(page));
    }

    /**
     * @return true if the page has become unsafe
     */
    boolean publish(PageId page) {
        return performed(() -> {
            boolean isUnsafe = map.publish(node, number(page));
            verifyMapper(page);
            return isUnsafe;
        });
    }

    /** Checks that this node is among the mappers of a page of which it has a copy. */
    private void verifyMapper(PageId page) {
        if (!isHome(page)) {
            audit.mapper(node, number(page));
        }
    }

    /**
     * @return true if the node's copy may be older than a publication
     */
    boolean check(PageId page) {
        return performed(() -> {
            audit.mapper(node, number(page));
            return map.check(node, number(page));
        });
    }

    void leave(PageId page) {
        performed(() -> {
            verifyMapper(page);
            map.leave(node, number(page));
        });
    }

    /** Takes the pages of this home that others have entered. */
    List<PageId> takeEntered() {
        List<PageId> entered = new ArrayList<>();
        performed(() -> map.takeEntered(node, end(), number -> entered.add(listed(number))));
        return entered;
    }

    List<PageId> takeList() {
        List<PageId> listed = new ArrayList<>();
        performed(() -> map.takeList(node, end(), number -> listed.add(listed(number))));
        return listed;
    }

    private int end() {
        return (int) (table.end() / RegionSpec.MACHINE_PAGE_BYTES);
    }

    private PageId listed(int number) {
        long offset = (long) number * RegionSpec.MACHINE_PAGE_BYTES;
        if (table.hasPageAt(offset)) {
            PageId page = table.pageAt(offset);
            if (number(page) == number && table.region(page).protocol() == Protocol.WEAK) {
                return page;
            }
        }
        throw new BrokenPoolException(
                "a list of node "
                        + node
                        + " names page "
                        + number
                        + " of the pool, which is no page of a weak variable");
    }

    /**
     * Compares the words of a page with this node's copy of it.
     *
     * @throws BrokenMapException if they differ
     */
    private void verify(PageId page) {
        audit.page(number(page));
        verifyMapper(page);
    }

    /**
     * Compares the map with the copies of this node, and looks for notices that no acquire would
     * find, while no node publishes or enters a page.
     */
    void verify() {
        for (RegionSpec region : table.regions()) {
            for (int i = 0; i < region.pages() && region.protocol() == Protocol.WEAK; i++) {
                PageId page = new PageId(region.index(), i);
                if (table.hasContent(page) && isNear(page)) {
                    performed(() -> verify(page));
                }
            }
        }
        performed(() -> audit.lists(node, end()));
    }

    private void performed(Runnable operation) {
        performed(() -> {
            operation.run();
            return true;
        });
    }

    private boolean performed(BooleanSupplier operation) {
        try {
            return operation.getAsBoolean();
        } catch (BrokenMapException broken) {
            throw new BrokenPoolException(where(broken) + broken.getMessage());
        }
    }

    private String where(BrokenMapException broken) {
        if (broken.page().isEmpty()) {
            return "";
        }
        PageId page = table.pageAt((long) broken.page().getAsInt() * RegionSpec.MACHINE_PAGE_BYTES);
        return "page " + page + " of variable '" + table.region(page).name() + "': ";
    }
}
