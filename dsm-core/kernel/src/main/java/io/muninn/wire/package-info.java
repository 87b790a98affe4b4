/**
 * Bytes and records: messages, their codecs, and the names of page-sized bytes in them.
 *
 * <p>It may import {@code io.muninn.model}. Start reading at {@link io.muninn.wire.WireMessage}.
 */
@NullMarked
package io.muninn.wire;

import org.jspecify.annotations.NullMarked;
