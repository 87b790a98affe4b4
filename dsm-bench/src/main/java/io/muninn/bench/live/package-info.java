/**
 * Single operations of a live cluster, timed from inside a program: what an application would see.
 *
 * <p>It may import {@code io.muninn.api}. Start reading at {@link
 * io.muninn.bench.live.BenchProgram}.
 */
@NullMarked
package io.muninn.bench.live;

import org.jspecify.annotations.NullMarked;
