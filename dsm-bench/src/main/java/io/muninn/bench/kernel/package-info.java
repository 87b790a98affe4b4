/**
 * Benchmarks of kernels without agents: the time of steps in Java, without pages, channels or other
 * processes.
 *
 * <p>It may import {@code io.muninn.transport} for the encoding of messages. Start reading at
 * {@link io.muninn.bench.kernel.ReleaseBenchmark}.
 */
@NullMarked
package io.muninn.bench.kernel;

import org.jspecify.annotations.NullMarked;
