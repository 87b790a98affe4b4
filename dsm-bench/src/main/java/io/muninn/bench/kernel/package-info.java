/**
 * Kernels without agents: what a step takes in Java, with no page, channel or other process.
 *
 * <p>It may import {@code io.muninn.transport} for the encoding of messages. Start reading at
 * {@link io.muninn.bench.kernel.ReleaseBenchmark}.
 */
@NullMarked
package io.muninn.bench.kernel;

import org.jspecify.annotations.NullMarked;
