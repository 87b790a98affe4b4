/**
 * One node's machine: the event loop steps the kernel with faults, calls, messages and timers, and
 * performs the effects.
 *
 * <p>It may import everything below. Start reading at {@link io.muninn.agent.NodeMachine}; {@link
 * io.muninn.agent.lifecycle.Agent} starts and ends it.
 */
@NullMarked
package io.muninn.agent;

import org.jspecify.annotations.NullMarked;
