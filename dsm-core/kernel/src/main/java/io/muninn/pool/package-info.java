/**
 * Coherence in memory that all nodes address: a map of pages and their notices, in words that every
 * node changes by atomic operations, without a message and without a lock.
 *
 * <p>It imports nothing of Muninn. Start reading at {@link io.muninn.pool.CoherentMap}.
 */
@NullMarked
package io.muninn.pool;

import org.jspecify.annotations.NullMarked;
