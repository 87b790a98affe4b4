package io.muninn.coherence.shared;

import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;
import java.util.ArrayDeque;

/** Pages that are being compared with their twins, and the releases that wait for the results. */
public final class Comparisons {
    private final ArrayDeque<GatedRelease> waiting = new ArrayDeque<>();
    private int open;

    /**
     * Compares a page to which no thread can store.
     *
     * @param interval one that has ended, or ends in this step
     */
    public void begin(PageId page, long interval, Effects out) {
        open++;
        out.saveDiff(page, interval, false);
    }

    /** Performs a release once all results have arrived. */
    public void await(GatedRelease leaving, Effects out) {
        if (open == 0) {
            out.releasePerformed(leaving);
        } else {
            waiting.add(leaving);
        }
    }

    /** True if only the result that is being processed is outstanding. */
    public boolean isLast() {
        return open == 1;
    }

    /** Records that a result has been processed. */
    public void ended(Effects out) {
        open--;
        while (open == 0 && !waiting.isEmpty()) {
            out.releasePerformed(waiting.remove());
        }
    }
}
