/**
 * Benchmarks, each named for its question, each with a baseline method.
 *
 * <p>They may import whatever an application may. Start reading at {@link
 * io.muninn.bench.ViewAccessBenchmark}.
 */
@NullMarked
package io.muninn.bench;

import org.jspecify.annotations.NullMarked;
