package io.muninn.coherence.shared;

import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The pages that a program has prefetched and not used, to count the result of each prefetch: the
 * page is used after its arrival, or before it, or it is lost unused. Such a page has no access, so
 * that the first access faults and is counted.
 */
public final class Prefetches {
    private final List<BitSet> unused = new ArrayList<>(); // by region, created when first named

    /** Records that a page is requested because the program prefetches it. */
    public void requested(PageId page) {
        of(page).set(page.index());
    }

    /** Counts pages of a prefetch that are present or requested already. */
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
     * Counts an access to a page if it was prefetched and is unused.
     *
     * @param isHere false if it has not arrived yet
     * @return true if it was counted
     */
    public boolean used(PageId page, boolean isHere, Effects out) {
        boolean isFirst = take(page);
        if (isFirst) {
            out.count(isHere ? NodeCounter.PREFETCH_HITS : NodeCounter.PREFETCHES_LATE);
        }
        return isFirst;
    }

    /** Counts the loss of a page if it was prefetched and is unused. */
    public void gone(PageId page, Effects out) {
        if (take(page)) {
            out.count(NodeCounter.PREFETCHES_INVALIDATED);
        }
    }

    /**
     * Removes a page from the prefetched ones.
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
