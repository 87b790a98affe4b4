/**
 * The delays of a simulation: those of a model of a machine, or drawn from a seed. Start reading at
 * {@link io.muninn.sim.delay.Delays}.
 */
@NullMarked
package io.muninn.sim.delay;

import org.jspecify.annotations.NullMarked;
