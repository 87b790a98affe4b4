package io.muninn.coherence.shared;

import io.muninn.directory.PageQueue;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.LogicalClock;
import java.util.List;

/** The pages to which threads of this node have stored in its current interval. */
public final class OpenInterval {
    private final LogicalClock clock;
    private final PageQueue dirty = new PageQueue(); // threads may store to them
    private final PageQueue listed = new PageQueue(); // the write notice will name them

    public OpenInterval(LogicalClock clock) {
        this.clock = clock;
    }

    /** Records that threads store to a page, perhaps also in later intervals. */
    public void storedTo(PageId page) {
        dirty.add(page);
        clock.stored();
    }

    /** Lists a page to which threads have stored, and cannot store any more. */
    public void list(PageId page) {
        dirty.remove(page);
        listed.add(page);
        clock.stored();
    }

    /** True if threads may store to the page. */
    public boolean isDirty(PageId page) {
        return dirty.contains(page);
    }

    public boolean isDirty() {
        return !dirty.isEmpty();
    }

    /**
     * Lists all pages to which threads store, because of a release.
     *
     * @return the pages, by region and index
     */
    public List<PageId> takeDirty(Effects out) {
        List<PageId> pages = dirty.take();
        pages.sort(null);
        for (PageId page : pages) {
            listed.add(page);
            out.pageEvent(page, "release");
        }
        clock.stored();
        return pages;
    }

    /**
     * Makes the write notice. Pages to which threads continue to store are listed later.
     *
     * @return the pages that it lists
     */
    public List<PageId> end(WriteNotices notices) {
        if (listed.isEmpty()) {
            return List.of();
        }
        List<PageId> pages = listed.take();
        pages.sort(null);
        notices.add(pages);
        return pages;
    }
}
