package io.muninn.kernel.port;

import io.muninn.spi.NodeCounter;

/** Receives a node's counts. */
public interface Tracer {
    void count(NodeCounter counter, long amount);
}
