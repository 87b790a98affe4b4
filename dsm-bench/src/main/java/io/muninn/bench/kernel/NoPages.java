package io.muninn.bench.kernel;

import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.port.LockWords;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.Timers;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Event;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.spi.ViewMark;
import io.muninn.wire.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * A machine whose operations do nothing and return at once. Every diff contains one percent of the
 * page's words. An applied diff overlaps no local store.
 */
final class NoPages implements Pages, LockWords, Timers {
    static final NoPages INSTANCE = new NoPages();

    private static final int GRANULES = 5;
    private static final int DIFF_BYTES = GRANULES * (Integer.BYTES + Long.BYTES);

    private final MemorySegment diff = Arena.ofAuto().allocate(DIFF_BYTES);
    private final MemorySegment image = Arena.ofAuto().allocate(RegionSpec.MACHINE_PAGE_BYTES);

    private NoPages() {}

    @Override
    public MemorySegment bytes(Payload payload) {
        return payload instanceof Payload.SavedDiff ? diff : image;
    }

    @Override
    public DiffSize saveDiff(PageId page, long interval, boolean keepTwin) {
        return new DiffSize(GRANULES, DIFF_BYTES, keepTwin);
    }

    @Override
    public int applyDiff(PageId page, Payload received) {
        return 0;
    }

    @Override
    public List<Integer> applyDiffs(List<PageId> pages, List<Payload> received) {
        return Collections.nCopies(pages.size(), 0);
    }

    @Override
    public OptionalLong localStore(PageId page, int offset, int granuleBytes) {
        return OptionalLong.empty();
    }

    @Override
    public void setAccess(MappingId mapping, PageId page, PageAccess access) {}

    @Override
    public void setAccess(MappingId mapping, PageId first, int count, PageAccess access) {}

    /** Not called, since no page has been accessed when the initialization ends. */
    @Override
    public void withdraw(MappingId mapping, PageId first, int count) {
        throw new IllegalStateException("withdraws " + count + " pages from " + first);
    }

    @Override
    public void install(MappingId mapping, PageId page, Payload received, PageAccess access) {}

    @Override
    public void merge(PageId page, Payload image) {}

    @Override
    public void discard(PageId page) {}

    @Override
    public void poison(PageId page) {
        throw new IllegalStateException("poisons " + page);
    }

    @Override
    public void makeTwin(PageId page) {}

    @Override
    public void dropTwin(PageId page) {}

    @Override
    public void dropDiff(PageId page, long interval) {}

    @Override
    public void keepDiff(PageId page, long keep, Payload received) {}

    @Override
    public void dropKept(PageId page, long keep) {}

    @Override
    public void resume(MappingId mapping, PageId page, PageAccess access) {}

    @Override
    public Event.LockReclaimed reclaim(LockId lock) {
        return new Event.LockReclaimed(lock, true);
    }

    @Override
    public void mark(LockId lock, ViewMark mark) {}

    @Override
    public void covers(MappingId reader, ViewMark mark) {}

    @Override
    public void lend(LockId lock, boolean held, boolean wanted) {}

    @Override
    public void admit(ReadWriteLockId lock, int count, boolean isOpen, ViewMark mark) {}

    @Override
    public Event.ReadersClosed close(ReadWriteLockId lock) {
        return new Event.ReadersClosed(lock, 0);
    }

    @Override
    public void watchReleases() {}

    @Override
    public void arm(TimerId timer, long delayNanos) {}

    @Override
    public void cancel(TimerId timer) {}

    @Override
    public boolean watch(TimerId timer, List<ThreadMark> threads) {
        return false;
    }
}
