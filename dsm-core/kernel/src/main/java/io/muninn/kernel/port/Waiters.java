package io.muninn.kernel.port;

import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;

/** Application threads that wait for a reply. */
public interface Waiters {
    void resume(WaiterId waiter, Outcome outcome);
}
