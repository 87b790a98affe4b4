/**
 * Tests of the agent, of the command line and of the launcher. They may use everything of this
 * module, and start processes of their own, which they end. Start reading at {@link
 * io.muninn.agent.LauncherTest}.
 */
@NullMarked
package io.muninn.agent;

import org.jspecify.annotations.NullMarked;
