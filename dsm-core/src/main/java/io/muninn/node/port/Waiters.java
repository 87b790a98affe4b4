package io.muninn.node.port;

import io.muninn.protocol.Outcome;
import io.muninn.protocol.WaiterId;

/** Application threads that wait for an answer. */
public interface Waiters {
    void resume(WaiterId waiter, Outcome outcome);
}
