/**
 * One node's agent: it owns the event loop, the node's pages and its application process, and the
 * commands that start it.
 *
 * <p>The top floor of this module; it may import everything below. Start reading at {@link
 * io.muninn.agent.Agent}.
 */
@NullMarked
package io.muninn.agent;

import org.jspecify.annotations.NullMarked;
