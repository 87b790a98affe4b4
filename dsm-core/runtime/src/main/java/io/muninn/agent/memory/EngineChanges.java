package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.MappingLimitException;
import io.muninn.nativefault.TrappedProcess;

/**
 * Changes the access of neighbouring pages through the engine.
 *
 * <p><b>Errors.</b> A change may exceed a limit of the machine, which the user may raise: the
 * {@link IllegalStateException} contains the remedy.
 */
final class EngineChanges {
    /** A change of the access of a range, which is given in bytes. */
    interface Change {
        void of(long offset, long bytes);
    }

    private final FaultEngine engine;
    private final PageTable table;

    EngineChanges(FaultEngine engine, PageTable table) {
        this.engine = engine;
        this.table = table;
    }

    void allow(MappingId of, PageId first, int count, PageAccess access) {
        perform(first, count, (offset, bytes) -> engine.allow(of, offset, bytes, access));
    }

    /** Write-protects pages in every process. */
    void limit(PageId first, int count) {
        perform(first, count, engine::limit);
    }

    /** Lets a process load from pages to which it has no access. */
    void map(MappingId of, PageId first, int count) {
        perform(first, count, (offset, bytes) -> engine.map(of, offset, bytes));
    }

    void withdraw(PageId first, int count) {
        perform(first, count, engine::withdraw);
    }

    void drop(PageId first, int count) {
        for (TrappedProcess process : engine.processes()) {
            perform(first, count, process::drop);
        }
    }

    /** Drops pages of one process. */
    void drop(TrappedProcess of, PageId first, int count) {
        perform(first, count, of::drop);
    }

    void discard(PageId first, int count) {
        perform(first, count, engine::discard);
    }

    void poison(PageId page) {
        perform(page, 1, engine::poison);
    }

    void perform(PageId first, int count, Change change) {
        try {
            change.of(table.offset(first), (long) count * table.pageBytes(first));
        } catch (MappingLimitException limit) {
            RegionSpec region = table.region(first);
            throw new IllegalStateException(
                    "variable "
                            + region.name()
                            + ": to change the access of page "
                            + first
                            + (count > 1 ? " and the " + (count - 1) + " behind it" : "")
                            + " the application would need more than "
                            + limit.most()
                            + " mappings for pages of different access, half of the sysctl"
                            + " vm.max_map_count; raise it, take larger coherence units, or an"
                            + " engine with userfaultfd",
                    limit);
        }
    }
}
