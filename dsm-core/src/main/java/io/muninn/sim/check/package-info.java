/**
 * Checkers: observers that know what must be true of a cluster, and throw when it is not.
 *
 * <p>They look at pages, messages on their way and what kernels say of themselves, never at how a
 * kernel came to it. It may import {@code io.muninn.sim} and what that may import. Start reading at
 * {@link io.muninn.sim.check.Checkers}.
 */
@NullMarked
package io.muninn.sim.check;

import org.jspecify.annotations.NullMarked;
