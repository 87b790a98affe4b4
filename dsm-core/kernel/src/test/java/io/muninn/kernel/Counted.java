package io.muninn.kernel;

import io.muninn.spi.NodeCounter;

/** What a step added to a counter, in the list of its effects: only for tests to compare. */
public record Counted(NodeCounter counter, long amount) {}
