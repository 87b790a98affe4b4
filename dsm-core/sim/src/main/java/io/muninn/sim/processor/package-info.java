/**
 * The costs of a simulated node's processors, and the accounting of their time. The processors
 * themselves are in {@code io.muninn.sim}, with the threads that they run.
 */
@NullMarked
package io.muninn.sim.processor;

import org.jspecify.annotations.NullMarked;
