/**
 * Programs that are data: what each thread does, operation by operation, so that they can be
 * generated, printed, shrunk and run again.
 *
 * <p>It may import {@code io.muninn.sim} and what that may import. Start reading at {@link
 * io.muninn.sim.program.Program}.
 */
@NullMarked
package io.muninn.sim.program;

import org.jspecify.annotations.NullMarked;
