/**
 * What the processors of a simulated node cost, and what their time is charged as. The processors
 * themselves are in {@code io.muninn.sim}, with the threads that they run.
 */
@NullMarked
package io.muninn.sim.processor;

import org.jspecify.annotations.NullMarked;
