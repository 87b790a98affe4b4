package io.muninn.coherence.weak;

import io.muninn.coherence.shared.DirtyStreak;
import io.muninn.directory.PageMap;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;

/**
 * Selects the copies that stay writable over releases, with their twins. A page that is protected
 * costs a fault in each interval in which threads store to it; one that is not costs a comparison.
 * So a page that was dirty in several consecutive intervals is hot: each release compares it while
 * threads store to it, and the compared content becomes its twin. It is protected when several
 * comparisons in a row have found no store, or when an acquire discards it.
 *
 * <p>Source: ours; {@link io.muninn.spi.AdaptiveTwinRules} has the numbers.
 */
final class KeptTwins {
    /** Largest number of hot pages: every release compares all of them. */
    private static final int PAGES_MAX = 1 << 14;

    private static final class Heat {
        DirtyStreak streak = DirtyStreak.NONE;
        boolean isHot;
        int unchanged; // comparisons in a row that have found no store
    }

    private final Context context;
    private final PageMap<Heat> heats = new PageMap<>();
    private int count;

    KeptTwins(Context context) {
        this.context = context;
    }

    /**
     * Records that a release finds a page dirty.
     *
     * @param release its number
     * @return true if threads may continue to store to it
     */
    boolean isKept(PageId page, long release, Effects out) {
        Heat heat = heats.get(page);
        if (heat == null) {
            heat = new Heat();
            heats.put(page, heat);
        }
        if (heat.isHot && heat.unchanged >= context.twins().coldAfter()) {
            cool(heat);
            out.count(NodeCounter.PAGES_COOLED);
            return false;
        }
        if (!heat.isHot) {
            heat.streak = heat.streak.dirtyIn(release);
            heat.isHot = heat.streak.isHot(context.twins()) && count < PAGES_MAX;
            if (heat.isHot) {
                heat.unchanged = 0;
                count++;
                out.count(NodeCounter.PAGES_HEATED);
            }
        }
        return heat.isHot;
    }

    /** Records the comparison of a page that stays writable. */
    void compared(PageId page, boolean isChanged, Effects out) {
        Heat heat = heats.get(page);
        if (heat != null && heat.isHot) {
            heat.unchanged = isChanged ? 0 : heat.unchanged + 1;
            out.count(NodeCounter.TWINS_KEPT);
        }
    }

    /** An acquire discards a page, because other nodes store to it, too. */
    void withdrawn(PageId page) {
        Heat heat = heats.get(page);
        if (heat != null) {
            cool(heat);
        }
    }

    private void cool(Heat heat) {
        count -= heat.isHot ? 1 : 0;
        heat.isHot = false;
        heat.streak = DirtyStreak.NONE;
    }
}
