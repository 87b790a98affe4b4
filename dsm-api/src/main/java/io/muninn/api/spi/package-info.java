/**
 * The interface between the API and an implementation of shared memory: the layout of a cluster's
 * regions and the session of one process.
 *
 * <p>Applications do not use this package. It may import {@code io.muninn.api} and {@code
 * io.muninn.model}; start reading at {@link io.muninn.api.spi.DsmProvider}.
 */
@NullMarked
package io.muninn.api.spi;

import org.jspecify.annotations.NullMarked;
