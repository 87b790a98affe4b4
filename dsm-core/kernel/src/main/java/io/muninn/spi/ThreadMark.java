package io.muninn.spi;

import io.muninn.model.LockId;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The progress of a thread when it stopped at a page.
 *
 * @param thread of its application; {@link #UNKNOWN} if the stopped thread is not known
 * @param calls number of calls of its node that the thread had entered; wraps around
 * @param section the most recently acquired lock that it holds; empty if it holds none
 */
public record ThreadMark(int thread, int calls, Optional<LockId> section) {
    private static final int NO_THREAD = -1;

    /** The mark of a thread that does not count its calls. */
    public static final ThreadMark UNKNOWN = new ThreadMark(NO_THREAD, 0, Optional.empty());

    public boolean isKnown() {
        return thread != NO_THREAD;
    }

    private boolean isBehind(IntUnaryOperator entered) {
        return isKnown() && entered.applyAsInt(thread) != calls;
    }

    /**
     * True if every one of these threads has entered a call since: it has then made the access at
     * which it stopped. Never true for a thread that is not known.
     *
     * @param calls number of calls that a thread has entered by now
     */
    public static boolean areBehind(List<ThreadMark> marks, IntUnaryOperator calls) {
        return marks.stream().allMatch(mark -> mark.isBehind(calls));
    }
}
