/**
 * Locks, barriers, letters, refreshes and collections of lazy data as state machines. They carry
 * the protocols' cargo undecoded and send no message before its release is performed.
 *
 * <p>They may import {@code spi} and below. Start reading at {@link io.muninn.sync.LockManager}.
 */
@NullMarked
package io.muninn.sync;

import org.jspecify.annotations.NullMarked;
