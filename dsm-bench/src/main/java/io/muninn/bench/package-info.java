/**
 * Benchmarks: single operations beside the floor that the machine sets, and whole programs beside
 * message passing.
 *
 * <p>They may import whatever an application may, {@code io.muninn.launch} and {@code
 * io.muninn.transport}. Start reading at {@link io.muninn.bench.Suite}.
 */
@NullMarked
package io.muninn.bench;

import org.jspecify.annotations.NullMarked;
