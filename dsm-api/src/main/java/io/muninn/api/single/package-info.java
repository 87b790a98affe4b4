/**
 * A cluster of one node without an agent: plain memory, no faults, locks, barriers and messages
 * among the threads of one process.
 *
 * <p>It may import {@code io.muninn.api}, {@code io.muninn.api.spi} and {@code io.muninn.model}.
 * Start reading at {@link io.muninn.api.single.SingleNodeProvider}.
 */
@NullMarked
package io.muninn.api.single;

import org.jspecify.annotations.NullMarked;
