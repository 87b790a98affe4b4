package io.muninn.kernel.port;

import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import java.util.List;

/**
 * Timers by name. Arming an armed timer replaces its time; cancelling an unarmed one does nothing.
 */
public interface Timers {
    void arm(TimerId timer, long delayNanos);

    void cancel(TimerId timer);

    /**
     * Lets an armed timer fire early: when all of these threads have entered a call since their
     * marks.
     *
     * @return true if they have; the timer is then cancelled, and the caller reports that it has
     *     fired
     */
    boolean watch(TimerId timer, List<ThreadMark> threads);
}
