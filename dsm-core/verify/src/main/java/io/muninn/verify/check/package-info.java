/**
 * The checkers of the simulator: observers each of which checks one promise, and throws a violation
 * when it is broken.
 *
 * <p>Checkers do not depend on the implementation: their expectations follow from the promise, from
 * the operations of threads, and from the locations of data, not from the algorithm of a protocol.
 * They may import the packages that {@code io.muninn.sim} may import. Start reading at {@link
 * io.muninn.verify.check.Checkers}.
 */
@NullMarked
package io.muninn.verify.check;

import org.jspecify.annotations.NullMarked;
