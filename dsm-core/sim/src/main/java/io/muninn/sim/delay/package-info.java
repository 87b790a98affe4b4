/**
 * How long things take in a simulation: as a model of a machine says, or drawn from a seed. Start
 * reading at {@link io.muninn.sim.delay.Delays}.
 */
@NullMarked
package io.muninn.sim.delay;

import org.jspecify.annotations.NullMarked;
