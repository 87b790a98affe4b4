/**
 * Model of coherence over a pool: all interleavings of a few nodes, run by the code of the coherent
 * map itself.
 *
 * <p>Start reading at {@link io.muninn.verify.pool.PoolModel}.
 */
@NullMarked
package io.muninn.verify.pool;

import org.jspecify.annotations.NullMarked;
