/**
 * Tests of the application's side of a node, and what tests of the agent need of it.
 *
 * <p>They may import what {@code io.muninn.client} may. Start reading at {@link
 * io.muninn.application.TestApplication}.
 */
@NullMarked
package io.muninn.application;

import org.jspecify.annotations.NullMarked;
