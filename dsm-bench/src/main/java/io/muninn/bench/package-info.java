/**
 * Benchmarks: compares single operations with the floor that the machine sets, and whole programs
 * with message passing.
 *
 * <p>It may import the packages that an application may import, {@code io.muninn.launch} and {@code
 * io.muninn.transport}. Start reading at {@link io.muninn.bench.Suite}.
 */
@NullMarked
package io.muninn.bench;

import org.jspecify.annotations.NullMarked;
