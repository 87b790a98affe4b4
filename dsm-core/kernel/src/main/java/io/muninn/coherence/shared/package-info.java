/**
 * The common code of several protocols: deferred messages, read-ahead, withdrawals of neighbouring
 * pages, and the encoding of copysets.
 *
 * <p>It may import {@code spi}, {@code directory}, {@code wire} and below. Start reading at {@link
 * io.muninn.coherence.shared.ReadAhead}.
 */
@NullMarked
package io.muninn.coherence.shared;

import org.jspecify.annotations.NullMarked;
