/**
 * What channels between agents take by themselves: the floors of whatever needs messages.
 *
 * <p>It may import {@code io.muninn.transport} and Netty. Start reading at {@link
 * io.muninn.bench.floor.BareCluster}.
 */
@NullMarked
package io.muninn.bench.floor;

import org.jspecify.annotations.NullMarked;
