/**
 * Tests of the application's side of a node, and its fixtures for tests of the agent.
 *
 * <p>They may import everything that {@code io.muninn.application} may. Start reading at {@link
 * io.muninn.application.TestApplication}.
 */
@NullMarked
package io.muninn.application;

import org.jspecify.annotations.NullMarked;
