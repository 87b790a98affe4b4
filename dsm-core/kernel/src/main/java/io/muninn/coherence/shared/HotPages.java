package io.muninn.coherence.shared;

import io.muninn.directory.PageMap;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;

/**
 * Which pages stay writable over releases. A page that is protected costs a fault in each interval
 * in which threads store to it. So a page that was stored to in several intervals in a row, and was
 * not withdrawn meanwhile, is hot: releases list it, and leave it writable with its twin. They list
 * it whether threads have stored to it or not, as nothing is compared; so after some releases it is
 * protected, and the next store shows that it is still in use. If it comes soon, the page may stay
 * writable for twice as many releases. A comparison that finds no store ends that.
 *
 * <p>Source: ours; {@link AdaptiveTwinRules} has the numbers. A page is hot after {@link
 * AdaptiveTwinRules#hotAfter} intervals, for {@link AdaptiveTwinRules#coldAfter} releases at first.
 */
public final class HotPages {
    /** From one interval to the next in the row, at most. */
    public static final int STEP_MAX = 4;

    /** Most hot pages: every release lists all of them. */
    static final int PAGES_MAX = 1 << 14;

    private static final class Streak {
        int times; // intervals in a row in which the page was stored to
        long interval; // the last of them
        int releases; // since the page is hot; 0 if it is not
        int planned; // releases for which it stays writable this time, or stayed the last time
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
     * A release lists a page.
     *
     * @return whether threads may go on storing to it
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

    /** An acquire withdraws a page: others store to it, too, so the row of intervals is over. */
    public void withdrawn(PageId page) {
        Streak streak = streaks.get(page);
        if (streak != null) {
            cool(streak);
            streak.times = 0;
            streak.planned = 0;
        }
    }

    /** A comparison has found no store to a page: if it is hot, the next release protects it. */
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
