package io.muninn.kernel.port;

import io.muninn.spi.TimerId;

/** Timers by name; arming one that is armed moves it, cancelling one that is not does nothing. */
public interface Timers {
    void arm(TimerId timer, long delayNanos);

    void cancel(TimerId timer);
}
