package io.muninn.coherence.lazy;

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
 * protected, and the next store shows that it is still in use.
 *
 * <p>Source: ours; {@link AdaptiveTwinRules} has the numbers. A page is hot after {@link
 * AdaptiveTwinRules#hotAfter} intervals, for {@link AdaptiveTwinRules#coldAfter} releases.
 */
final class HotPages {
    /** From one interval to the next in the row, at most. */
    static final int STEP_MAX = 4;

    /** Most hot pages: every release lists all of them. */
    static final int PAGES_MAX = 1 << 14;

    private static final class Streak {
        int times; // intervals in a row in which the page was stored to
        long interval; // the last of them
        int releases; // since the page is hot; 0 if it is not
    }

    private final Context context;
    private final PageMap<Streak> streaks = new PageMap<>();
    private int count;

    HotPages(Context context) {
        this.context = context;
    }

    /**
     * A release lists a page.
     *
     * @return whether threads may go on storing to it
     */
    boolean staysWritable(PageId page, long interval, Effects out) {
        Streak streak = streaks.get(page);
        if (streak == null) {
            streak = new Streak();
            streaks.put(page, streak);
        }
        boolean isNext = interval - streak.interval <= STEP_MAX;
        streak.interval = interval;
        if (streak.releases == 0) {
            streak.times = isNext ? streak.times + 1 : 1;
            if (streak.times < context.twins().hotAfter() || count == PAGES_MAX) {
                return false;
            }
            count++;
            out.count(NodeCounter.PAGES_HEATED);
        } else if (streak.releases == context.twins().coldAfter()) {
            cool(streak);
            out.count(NodeCounter.PAGES_COOLED);
            return false;
        }
        streak.releases++;
        out.count(NodeCounter.TWINS_KEPT);
        return true;
    }

    /** An acquire withdraws a page: others store to it, too, so the row of intervals is over. */
    void withdrawn(PageId page) {
        Streak streak = streaks.get(page);
        if (streak != null) {
            cool(streak);
            streak.times = 0;
        }
    }

    private void cool(Streak streak) {
        if (streak.releases > 0) {
            streak.releases = 0;
            count--;
        }
    }
}
