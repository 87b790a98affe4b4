/**
 * What several protocols use: deferred messages, read-ahead, withdrawals of neighbouring pages, and
 * how copysets are encoded.
 *
 * <p>It may import {@code spi}, {@code directory}, {@code wire} and below. Start reading at {@link
 * io.muninn.coherence.shared.ReadAhead}.
 */
@NullMarked
package io.muninn.coherence.shared;

import org.jspecify.annotations.NullMarked;
