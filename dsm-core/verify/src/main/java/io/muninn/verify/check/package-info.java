/**
 * The checkers of the simulator: observers that each hold one promise against what happens, and
 * throw a violation when it is broken.
 *
 * <p>Checkers know the truth, not the code: what they expect follows from the promise, from what
 * threads did and from what is where, not from how a protocol goes about it. They may import what
 * {@code io.muninn.sim} may import. Start reading at {@link io.muninn.verify.check.Checkers}.
 */
@NullMarked
package io.muninn.verify.check;

import org.jspecify.annotations.NullMarked;
