/**
 * What only conventional and pipelined pages are held to: checkers that know states and messages of
 * the protocol. They may import what {@code io.muninn.sim.check} may import, and its base classes;
 * they are listed in {@link io.muninn.sim.check.Checkers} or {@link io.muninn.sim.check.Copysets}.
 */
@NullMarked
package io.muninn.sim.check.invalidate;

import org.jspecify.annotations.NullMarked;
