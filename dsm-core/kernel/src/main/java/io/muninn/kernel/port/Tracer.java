package io.muninn.kernel.port;

import io.muninn.spi.NodeCounter;

/** Where a node's counts go. */
public interface Tracer {
    void count(NodeCounter counter, long amount);
}
