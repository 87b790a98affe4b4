package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.PoolPages;
import io.muninn.pool.CoherentMap;
import io.muninn.spi.PoolResult;
import io.muninn.wire.MalformedMessageException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
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
    private final int node;
    private final CoherentMap map;
    private final MemorySegment frames;
    private final FaultEngine engine;
    private final PoolPages offers;
    private final PageTable table;
    private final PageClaims claims;
    private final FaultTimes times;

    LivePool(
            HostPool pool,
            int node,
            FaultEngine engine,
            PageTable table,
            PageClaims claims,
            FaultTimes times) {
        this.node = node;
        this.map = pool.map();
        this.frames = pool.segment().frames();
        this.engine = engine;
        this.offers = new PoolPages(engine);
        this.table = table;
        this.claims = claims;
        this.times = times;
    }

    /** The map's number of a page: that of its first machine page. */
    private int number(PageId page) {
        return Math.toIntExact(table.offset(page) / RegionSpec.MACHINE_PAGE_BYTES);
    }

    /** A page's frame. */
    MemorySegment frame(PageId page) {
        return frames.asSlice(table.offset(page), table.pageBytes(page));
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
        map.enter(node, number(page));
    }

    @Override
    public PoolResult.Entry enter(PageId page) {
        if (claims.isEnteredByTrap(page)) {
            engine.wake(table.offset(page), table.pageBytes(page));
            times.end(page);
            return PoolResult.Entry.BY_TRAP;
        }
        boolean isUnsafe = map.enter(node, number(page));
        return isUnsafe ? PoolResult.Entry.UNSAFE : PoolResult.Entry.SAFE;
    }

    @Override
    public void writeBack(PageId page, MemorySegment diff) {
        offers.writeBack(
                diff, table.offset(page), table.pageBytes(page), table.region(page).granuleBytes());
    }

    @Override
    public boolean publish(PageId page) {
        return map.publish(node, number(page));
    }

    @Override
    public List<PageId> takeList() {
        return takeList(node);
    }

    private List<PageId> takeList(int of) {
        List<PageId> listed = new ArrayList<>();
        int end = (int) (table.end() / RegionSpec.MACHINE_PAGE_BYTES);
        map.takeList(
                of,
                end,
                number -> listed.add(table.pageAt((long) number * RegionSpec.MACHINE_PAGE_BYTES)));
        return listed;
    }

    @Override
    public boolean check(PageId page) {
        return map.check(node, number(page));
    }

    @Override
    public void leave(List<PageId> pages) {
        for (PageId page : pages) {
            map.leave(node, number(page));
            offer(page);
        }
    }

    @Override
    public Served of(NodeId other) {
        return new Other(other.index());
    }

    /** The pool as this node uses it for a node of another agent. */
    private final class Other implements Served {
        private final int mapper;

        Other(int mapper) {
            this.mapper = mapper;
        }

        @Override
        public boolean enter(PageId page) {
            return map.enter(mapper, number(page));
        }

        @Override
        public void fill(PageId page, MemorySegment image) {
            MemorySegment frame = frame(page);
            if (image.byteSize() != 0) {
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
            map.enter(mapper, number(page));
        }

        @Override
        public void writeBack(PageId page, MemorySegment diff) {
            LivePool.this.writeBack(page, diff);
        }

        @Override
        public boolean publish(PageId page) {
            return map.publish(mapper, number(page));
        }

        @Override
        public List<PageId> takeList() {
            return LivePool.this.takeList(mapper);
        }

        @Override
        public boolean check(PageId page) {
            return map.check(mapper, number(page));
        }

        @Override
        public void leave(List<PageId> pages) {
            pages.forEach(page -> map.leave(mapper, number(page)));
        }
    }
}
