/**
 * The agent's event loop: descriptors, tasks and timers on one thread, and limits of waits that a
 * stop of this process does not use up.
 */
@NullMarked
package io.muninn.transport.loop;

import org.jspecify.annotations.NullMarked;
