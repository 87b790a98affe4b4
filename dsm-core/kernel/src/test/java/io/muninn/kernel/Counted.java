package io.muninn.kernel;

import io.muninn.spi.NodeCounter;

/** An addition to a counter in a step, as an element of the list of its effects; for tests only. */
public record Counted(NodeCounter counter, long amount) {}
