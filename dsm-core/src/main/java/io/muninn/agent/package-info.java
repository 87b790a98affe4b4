/**
 * One node's agent: it owns the event loop, the node's pages and its application process.
 *
 * <p>It may import everything below. Start reading at {@link io.muninn.agent.Agent}.
 */
@NullMarked
package io.muninn.agent;

import org.jspecify.annotations.NullMarked;
