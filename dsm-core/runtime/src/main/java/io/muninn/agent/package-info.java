/**
 * The machine of one node: its event loop steps the kernel with faults, calls, messages and timers,
 * and performs the effects.
 *
 * <p>It may import {@code calls} and {@code memory} and everything below the agent, but not {@code
 * lifecycle}, which is built on it. Start reading at {@link io.muninn.agent.NodeMachine}.
 */
@NullMarked
package io.muninn.agent;

import org.jspecify.annotations.NullMarked;
