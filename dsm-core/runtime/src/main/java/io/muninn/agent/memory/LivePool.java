package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.PoolPages;
import io.muninn.nativefault.PoolSegment;
import io.muninn.spi.Hosts;
import io.muninn.spi.PoolResult;
import io.muninn.wire.MalformedMessageException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The pool as one node uses it.
 *
 * <p><b>Traps.</b> Absent pages are offered to the traps of the node's threads, which enter them
 * without the agent. A thread that has sent its fault to the agent before, at a page that a trap is
 * entering now, is sent back: it waits for that trap in its own.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class LivePool implements PoolMemory {
    private final NodeMap map;
    private final PoolSegment segment;
    private final FaultEngine engine;
    private final PoolPages offers;
    private final PageTable table;
    private final PageClaims claims;
    private final FaultTimes times;

    LivePool(
            HostPool pool,
            int node,
            NodeThreads threads,
            FaultEngine engine,
            PageTable table,
            PageClaims claims,
            FaultTimes times) {
        this.map = new NodeMap(pool, node, threads, table);
        this.segment = pool.segment();
        this.engine = engine;
        this.offers = new PoolPages(engine);
        this.table = table;
        this.claims = claims;
        this.times = times;
        claims.onEntered(map::enteredByTrap);
    }

    /** Tells the traps of all nodes the homes of a region's pages. */
    void add(RegionSpec region) {
        int first = 0;
        for (int i = 1; i <= region.pages(); i++) {
            if (i == region.pages() || map.home(region, i) != map.home(region, first)) {
                long begin = region.offset() + (long) first * region.pageBytes();
                long bytes = (long) (i - first) * region.pageBytes();
                segment.setHome(
                        begin / RegionSpec.MACHINE_PAGE_BYTES,
                        bytes / RegionSpec.MACHINE_PAGE_BYTES,
                        map.home(region, first));
                first = i;
            }
        }
    }

    /** A page's frame: the memory of its home. */
    MemorySegment frame(PageId page) {
        return segment.memory(map.home(page), table.offset(page), table.pageBytes(page));
    }

    @Override
    public void offer(PageId first, int count) {
        for (int i = 0; i < count; i++) {
            offer(first.plus(i));
        }
    }

    /** An offer that is refused is made again when the page is left the next time. */
    private void offer(PageId page) {
        if (!table.hasContent(page) && !table.isPoisoned(page) && !table.isWithdrawing(page)) {
            claims.offerAbsent(page, offers);
        }
    }

    @Override
    public void fill(PageId page) {
        claims.takeAll(page);
        long offset = table.offset(page);
        int bytes = table.pageBytes(page);
        if (table.hasContent(page) && !engine.isZero(offset, bytes)) {
            frame(page).copyFrom(engine.alias().asSlice(offset, bytes));
        }
    }

    @Override
    public PoolResult.Entry enter(PageId page) {
        if (claims.isEnteredByTrap(page)) {
            engine.wake(table.offset(page), table.pageBytes(page));
            times.end(page);
            return PoolResult.Entry.BY_TRAP;
        }
        boolean isUnsafe = map.enter(page);
        return isUnsafe ? PoolResult.Entry.UNSAFE : PoolResult.Entry.SAFE;
    }

    @Override
    public void writeBack(PageId page, MemorySegment diff) {
        offers.writeBack(
                diff, table.offset(page), table.pageBytes(page), table.region(page).granuleBytes());
    }

    @Override
    public boolean publish(PageId page) {
        return map.publish(page);
    }

    @Override
    public List<PageId> takeMapped() {
        VarHandle.fullFence(); // behind the stores of the node's threads
        return map.takeEntered();
    }

    @Override
    public List<PageId> takeList() {
        return map.takeList();
    }

    @Override
    public boolean check(PageId page) {
        return map.check(page);
    }

    @Override
    public void leave(List<PageId> pages) {
        for (PageId page : pages) {
            map.leave(page);
            if (!map.isHome(page)) {
                offer(page);
            }
        }
    }

    /**
     * Compares the map with this node's copies, while no node publishes or enters a page.
     *
     * @throws io.muninn.nativefault.BrokenPoolException if they differ
     */
    void verify() {
        map.verify();
    }

    /** Learns which pages are in the pools of other agents. */
    void meet(Hosts hosts) {
        map.meet(hosts);
    }

    @Override
    public Served of(NodeId other) {
        return new Other(map.of(other.index()));
    }

    /** The pool as this node uses it for a node of another agent. */
    private final class Other implements Served {
        private final NodeMap mapper;

        Other(NodeMap mapper) {
            this.mapper = mapper;
        }

        @Override
        public boolean enter(PageId page) {
            return mapper.enter(page);
        }

        @Override
        public void fill(PageId page, MemorySegment image) {
            MemorySegment frame = frame(page);
            if (image.byteSize() == 0) {
                return; // zeros, as the frame
            }
            if (image.byteSize() != frame.byteSize()) {
                throw new MalformedMessageException(
                        "page "
                                + page
                                + " of "
                                + frame.byteSize()
                                + " bytes came as "
                                + image.byteSize());
            }
            frame.copyFrom(image);
        }

        @Override
        public void writeBack(PageId page, MemorySegment diff) {
            LivePool.this.writeBack(page, diff);
        }

        @Override
        public boolean publish(PageId page) {
            return mapper.publish(page);
        }

        @Override
        public List<PageId> takeList() {
            return mapper.takeList();
        }

        @Override
        public boolean check(PageId page) {
            return mapper.check(page);
        }

        @Override
        public void leave(List<PageId> pages) {
            pages.forEach(mapper::leave);
        }
    }
}
