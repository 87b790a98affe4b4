/**
 * Tests of the agent and of the application's calls to it. They may use everything of this module,
 * and start processes, which they end. Start reading at {@link
 * io.muninn.agent.memory.LivePagesTest}.
 */
@NullMarked
package io.muninn.agent;

import org.jspecify.annotations.NullMarked;
