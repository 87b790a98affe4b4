package io.muninn.spi;

import io.muninn.model.LockId;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * How far a thread had come when it stopped at a page.
 *
 * @param thread of its application; {@link #UNKNOWN} if it is not known which one stopped
 * @param calls how many calls of its node the thread had entered until then; wraps around
 * @param section the lock that it took last of those that it holds; empty if it holds none
 */
public record ThreadMark(int thread, int calls, Optional<LockId> section) {
    private static final int NO_THREAD = -1;

    /** Of a thread that does not count its calls. */
    public static final ThreadMark UNKNOWN = new ThreadMark(NO_THREAD, 0, Optional.empty());

    public boolean isKnown() {
        return thread != NO_THREAD;
    }

    private boolean isBehind(IntUnaryOperator entered) {
        return isKnown() && entered.applyAsInt(thread) != calls;
    }

    /**
     * Whether every one of these threads has entered a call since: it has then done the access at
     * which it stopped. Never so of a thread that is not known.
     *
     * @param calls the calls that a thread has entered by now
     */
    public static boolean areBehind(List<ThreadMark> marks, IntUnaryOperator calls) {
        return marks.stream().allMatch(mark -> mark.isBehind(calls));
    }
}
