/**
 * What the kernel's performer needs from a machine, live or simulated.
 *
 * <p>Interfaces only; implemented by the agent and by the simulator. Start reading at {@link
 * io.muninn.node.port.Transport}.
 */
@NullMarked
package io.muninn.node.port;

import org.jspecify.annotations.NullMarked;
