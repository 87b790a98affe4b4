package io.muninn.coherence.shared;

import io.muninn.directory.PageMap;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;

/**
 * Selects the pages that stay writable over releases. A page that is protected costs a fault in
 * each interval in which threads store to it. So a page that was stored to in several consecutive
 * intervals, and was not withdrawn meanwhile, is hot: releases list it, and leave it writable with
 * its twin. They list it whether threads have stored to it or not, because nothing is compared.
 * After some releases it is therefore protected, and the next store shows that it is still in use.
 * If the store follows soon, the page may stay writable for twice as many releases. A comparison
 * that finds no store ends that.
 *
 * <p>Source: ours; {@link AdaptiveTwinRules} has the numbers. A page is hot after {@link
 * AdaptiveTwinRules#hotAfter} intervals, initially for {@link AdaptiveTwinRules#coldAfter}
 * releases.
 */
public final class HotPages {
    /** Largest distance between two intervals that count as consecutive. */
    public static final int STEP_MAX = 4;

    /** Largest number of hot pages: every release lists all of them. */
    static final int PAGES_MAX = 1 << 14;

    private static final class Streak {
        int times; // consecutive intervals in which the page was stored to
        long interval; // the last of them
        int releases; // since the page became hot; 0 if it is not hot
        int planned; // releases for which it stays writable now, or stayed last time
    }

    private final Context context;
    private final int most;
    private final PageMap<Streak> streaks = new PageMap<>();
    private int count;

    /**
     * @param most releases for which a page stays writable, in multiples of {@link
     *     AdaptiveTwinRules#coldAfter}
     */
    public HotPages(Context context, int most) {
        this.context = context;
        this.most = most;
    }

    /**
     * Records that a release lists a page.
     *
     * @return true if threads may continue to store to it
     */
    public boolean staysWritable(PageId page, long interval, Effects out) {
        Streak streak = streaks.get(page);
        if (streak == null) {
            streak = new Streak();
            streaks.put(page, streak);
        }
        boolean isNext = interval - streak.interval <= STEP_MAX;
        streak.interval = interval;
        if (streak.releases == 0) {
            if (!isNext) {
                streak.times = 0;
                streak.planned = 0;
            }
            streak.times++;
            if (streak.times < context.twins().hotAfter() || count == PAGES_MAX) {
                return false;
            }
            count++;
            out.count(NodeCounter.PAGES_HEATED);
            int first = context.twins().coldAfter();
            streak.planned = Math.clamp(2L * streak.planned, first, most * first);
        } else if (streak.releases >= streak.planned) {
            cool(streak);
            out.count(NodeCounter.PAGES_COOLED);
            return false;
        }
        streak.releases++;
        out.count(NodeCounter.TWINS_KEPT);
        return true;
    }

    /**
     * Ends the row of intervals of a page that an acquire withdraws, because other nodes store to
     * it, too.
     */
    public void withdrawn(PageId page) {
        Streak streak = streaks.get(page);
        if (streak != null) {
            cool(streak);
            streak.times = 0;
            streak.planned = 0;
        }
    }

    /**
     * Records that a comparison has found no store to a page: if it is hot, the next release
     * protects it.
     */
    public void unchanged(PageId page) {
        Streak streak = streaks.get(page);
        if (streak != null) {
            streak.planned = 0;
        }
    }

    private void cool(Streak streak) {
        if (streak.releases > 0) {
            streak.releases = 0;
            count--;
        }
    }
}
