package io.muninn.node.port;

import io.muninn.protocol.Counter;

/** Where a node's counts go. */
public interface Tracer {
    void count(Counter counter, long amount);
}
