/**
 * The hardware of simulated nodes with several processors: caches, buses, network interfaces. Knows
 * nothing of pages and threads. Start reading at {@link io.muninn.sim.machine.SmpMachine}.
 */
@NullMarked
package io.muninn.sim.machine;

import org.jspecify.annotations.NullMarked;
