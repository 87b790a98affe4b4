/**
 * The interfaces that the kernel's performer requires from a machine, live or simulated.
 *
 * <p>Interfaces only; implemented by the agent and by the simulator. Start reading at {@link
 * io.muninn.kernel.port.Transport}.
 */
@NullMarked
package io.muninn.kernel.port;

import org.jspecify.annotations.NullMarked;
