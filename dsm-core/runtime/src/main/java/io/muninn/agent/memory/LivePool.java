package io.muninn.agent.memory;

import io.muninn.kernel.port.PoolMemory;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.PoolPages;
import io.muninn.spi.PoolResult;
import java.lang.foreign.MemorySegment;
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
        this.map = new NodeMap(pool, node, table);
        this.frames = pool.segment().frames();
        this.engine = engine;
        this.offers = new PoolPages(engine);
        this.table = table;
        this.claims = claims;
        this.times = times;
        claims.onEntered(map::enteredByTrap);
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
        map.enter(page);
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
            offer(page);
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
}
