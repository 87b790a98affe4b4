/**
 * Locks, barriers, letters, refreshes and collections of lazy data as state machines. They carry
 * the protocols' cargo unopened and let nothing leave the node before its release is performed.
 *
 * <p>They may import {@code spi} and below. Start reading at {@link io.muninn.sync.LockManager}.
 */
@NullMarked
package io.muninn.sync;

import org.jspecify.annotations.NullMarked;
