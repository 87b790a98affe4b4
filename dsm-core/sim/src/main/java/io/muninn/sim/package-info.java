/**
 * A simulated machine: the kernel of every node of a cluster in one JVM, under virtual time.
 *
 * <p>A run is determined by one seed. The kernels, their codecs and the performer are the classes
 * that the agent runs; pages, links, timers, lock words and application threads are simulated. It
 * may import everything below the purity line, and no other package of the machine's floor. Start
 * reading at {@link io.muninn.sim.Simulation}.
 */
@NullMarked
package io.muninn.sim;

import org.jspecify.annotations.NullMarked;
