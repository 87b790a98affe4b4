package io.muninn.coherence.shared;

import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The pages that a program has prefetched and not used, to count what becomes of each: it is used
 * when it is here, or while it is under way, or it is lost before. Such a page has no access, so
 * that the first access faults and is counted.
 */
public final class Prefetches {
    private final List<BitSet> unused = new ArrayList<>(); // by region, made when named

    /** A page is requested because the program prefetches it. */
    public void requested(PageId page) {
        of(page).set(page.index());
    }

    /** So many pages of a prefetch are here or under way already. */
    public static void unnecessary(int pages, Effects out) {
        if (pages > 0) {
            out.count(NodeCounter.PREFETCHES_UNNECESSARY, pages);
        }
    }

    /** True from the request for a page until it is used or lost. */
    public boolean isUnused(PageId page) {
        return page.region() < unused.size() && unused.get(page.region()).get(page.index());
    }

    /**
     * A thread accesses a page: counts it if that was prefetched and is unused.
     *
     * @param isHere false if it is still under way
     * @return true if it was counted
     */
    public boolean used(PageId page, boolean isHere, Effects out) {
        boolean isFirst = take(page);
        if (isFirst) {
            out.count(isHere ? NodeCounter.PREFETCH_HITS : NodeCounter.PREFETCHES_LATE);
        }
        return isFirst;
    }

    /** The page is lost, or ends its stay: counts it if that was prefetched and is unused. */
    public void gone(PageId page, Effects out) {
        if (take(page)) {
            out.count(NodeCounter.PREFETCHES_INVALIDATED);
        }
    }

    /**
     * Forgets a page.
     *
     * @return true if it was prefetched and unused
     */
    private boolean take(PageId page) {
        boolean wasUnused = isUnused(page);
        if (wasUnused) {
            of(page).clear(page.index());
        }
        return wasUnused;
    }

    private BitSet of(PageId page) {
        while (unused.size() <= page.region()) {
            unused.add(new BitSet());
        }
        return unused.get(page.region());
    }
}
