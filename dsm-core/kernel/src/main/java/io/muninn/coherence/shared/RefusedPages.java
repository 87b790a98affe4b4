package io.muninn.coherence.shared;

import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.TimerId;
import java.util.TreeMap;

/**
 * Pages whose withdrawal was refused, because a thread is about to use them: its trap is between
 * twin and store. Each is withdrawn again after a time that doubles with each refusal. So an agent
 * that needs long for a step leaves time to the thread, and a thread that is stopped costs little.
 */
public final class RefusedPages {
    /** A trapped thread stores within this time, unless it is stopped. */
    public static final long FIRST_NANOS = 20_000;

    /** Longest time between two attempts. */
    static final long LONGEST_NANOS = 64 * FIRST_NANOS;

    /**
     * @param isWaiting false if the page is being withdrawn again
     */
    private record Refusal(long nanos, boolean isWaiting) {}

    private final TreeMap<PageId, Refusal> refusals = new TreeMap<>();

    /** A withdrawal was refused: arms the timer {@code HoldOver} of the page. */
    public void refused(PageId page, Effects out) {
        Refusal before = refusals.get(page);
        long nanos = before == null ? FIRST_NANOS : Math.min(2 * before.nanos(), LONGEST_NANOS);
        refusals.put(page, new Refusal(nanos, true));
        out.armTimer(new TimerId.HoldOver(page), nanos);
    }

    /**
     * Called when the timer of a page has fired.
     *
     * @return true if the page must be withdrawn again
     */
    public boolean isDue(PageId page) {
        Refusal refusal = refusals.get(page);
        if (refusal == null || !refusal.isWaiting()) {
            return false;
        }
        refusals.put(page, new Refusal(refusal.nanos(), false));
        return true;
    }

    /** A page has been withdrawn. */
    public void withdrawn(PageId page) {
        if (!refusals.isEmpty()) {
            refusals.remove(page);
        }
    }
}
