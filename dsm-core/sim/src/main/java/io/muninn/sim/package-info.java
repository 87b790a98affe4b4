/**
 * A pretend machine: the kernel of every node of a cluster in one JVM, under virtual time.
 *
 * <p>One seed decides everything that happens. The kernels, their codecs and the performer are the
 * classes that the agent runs; pages, links, timers, lock words and application threads are
 * pretended here. It may import everything below the purity line, and no other package of the
 * machine's floor. Start reading at {@link io.muninn.sim.Simulation}.
 */
@NullMarked
package io.muninn.sim;

import org.jspecify.annotations.NullMarked;
