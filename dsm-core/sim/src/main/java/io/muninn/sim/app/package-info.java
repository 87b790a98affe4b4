/**
 * Runs unchanged programs of the API on the simulated machine: their threads run one at a time, and
 * every access through a view is checked before it is made.
 *
 * <p>The JVM must run with {@code -Dmuninn.simulated=true}. It may import {@code io.muninn.sim} and
 * everything below the purity line. Start reading at {@link io.muninn.sim.app.AppRun}.
 */
@NullMarked
package io.muninn.sim.app;

import org.jspecify.annotations.NullMarked;
