/**
 * Measures bare channels of the kind that agents use: the floors of operations that send messages.
 *
 * <p>It may import {@code io.muninn.transport} and Netty. Start reading at {@link
 * io.muninn.bench.floor.BareCluster}.
 */
@NullMarked
package io.muninn.bench.floor;

import org.jspecify.annotations.NullMarked;
