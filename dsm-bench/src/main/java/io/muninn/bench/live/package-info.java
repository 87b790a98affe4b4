/**
 * Times single operations of a live cluster from inside a program, as an application observes them.
 *
 * <p>It may import {@code io.muninn.api}. Start reading at {@link
 * io.muninn.bench.live.BenchProgram}.
 */
@NullMarked
package io.muninn.bench.live;

import org.jspecify.annotations.NullMarked;
