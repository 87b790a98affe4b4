/**
 * The SPI between the kernel and its protocols: events in, effects out, cargo on synchronization.
 *
 * <p>Nothing here names a particular protocol. It may import {@code wire}, {@code directory} and
 * below. Start reading at {@link io.muninn.spi.CoherenceProtocol}.
 */
@NullMarked
package io.muninn.spi;

import org.jspecify.annotations.NullMarked;
