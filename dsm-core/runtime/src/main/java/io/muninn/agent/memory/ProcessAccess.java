package io.muninn.agent.memory;

import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;

/**
 * The access of a node's processes to pages that the node may access: a process gets it when one of
 * its threads stops at a page.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class ProcessAccess {
    /** Pages that a process gets by one fault, if its node has them; a power of two. */
    private static final int MAPPED_AROUND = 16;

    private final FaultEngine engine;
    private final PageTable table;
    private final PageClaims claims;
    private final EngineChanges changes;
    private final FaultTimes times;

    ProcessAccess(
            FaultEngine engine,
            PageTable table,
            PageClaims claims,
            EngineChanges changes,
            FaultTimes times) {
        this.engine = engine;
        this.table = table;
        this.claims = claims;
        this.changes = changes;
        this.times = times;
    }

    /** True if the node has several processes. */
    boolean areSeveral() {
        return engine.processes().size() > 1;
    }

    /** True if an effect is about one process of several. */
    boolean isOneOfSeveral(MappingId named) {
        return areSeveral() && named.index() >= 0 && named.index() < engine.processes().size();
    }

    /**
     * Gives access to the processes with threads stopped at a page. The others fault at their first
     * access.
     */
    void give(PageId page, PageAccess access) {
        long stopped = areSeveral() ? times.processes(page) : 1;
        for (long left = stopped; left != 0; left &= left - 1) {
            changes.allow(MappingId.of(Long.numberOfTrailingZeros(left)), page, 1, access);
        }
    }

    /** Gives one process of several access to a page, and resumes its threads. */
    void admit(MappingId of, PageId page, PageAccess access) {
        table.unbar(page, of);
        changes.allow(of, page, 1, access);
        engine.wake(of, table.offset(page), table.pageBytes(page));
        mapAround(of, page);
    }

    /** The process that gets access with the image of a page: one with a stopped thread, if any. */
    MappingId receiver(PageId page) {
        long stopped = areSeveral() ? times.processes(page) : 0;
        return stopped == 0 ? MappingId.FIRST : MappingId.of(Long.numberOfTrailingZeros(stopped));
    }

    /**
     * Lets the processes that stopped at a page use the pages around it, if the node has them: a
     * sibling has used them before, and one fault costs as much as many pages. A page that is
     * writable to the node is so to the process from its first access on: the kernel knows of the
     * stores already, and a second fault would teach it nothing.
     */
    void mapAround(PageId page) {
        if (!areSeveral()) {
            return;
        }
        for (long left = times.processes(page); left != 0; left &= left - 1) {
            mapAround(MappingId.of(Long.numberOfTrailingZeros(left)), page);
        }
    }

    private void mapAround(MappingId of, PageId page) {
        int begin = page.index() & -MAPPED_AROUND;
        int end = Math.min(begin + MAPPED_AROUND, table.region(page).pages());
        PageSpan around = new PageSpan(new PageId(page.region(), begin), end - begin);
        around.forEachRun(
                each -> isNewAndWritable(each, of),
                (run, isWritable) -> {
                    if (isWritable) {
                        run.forEach(claims::takeUnlessStored);
                        changes.allow(of, run.first(), run.count(), PageAccess.READ_WRITE);
                    }
                });
        around.forEachRun(
                each -> isReadable(each) && !table.isBarred(each, of),
                (run, isReadable) -> {
                    if (isReadable) {
                        changes.map(of, run.first(), run.count());
                    }
                });
    }

    private boolean isNewAndWritable(PageId page, MappingId of) {
        return table.access(page) == PageAccess.READ_WRITE
                && isReadable(page)
                && !table.isBarred(page, of)
                && !engine.isMapped(of, table.offset(page), table.pageBytes(page));
    }

    private boolean isReadable(PageId page) {
        return table.hasContent(page)
                && table.access(page) != PageAccess.NONE
                && !table.isWithdrawing(page)
                && !table.isPoisoned(page);
    }
}
