/**
 * The agent's side of shared memory: engines, access to pages, page claims of traps, saved diffs.
 *
 * <p>It may import everything below the agent, and no other package of the agent. Start reading at
 * {@link io.muninn.agent.memory.LivePages}.
 */
@NullMarked
package io.muninn.agent.memory;

import org.jspecify.annotations.NullMarked;
