/**
 * The calls of application threads: through sockets and mailboxes in, as events to the kernel, and
 * their answers.
 *
 * <p>It may import everything below the agent. Start reading at {@link
 * io.muninn.agent.calls.CallServer}.
 */
@NullMarked
package io.muninn.agent.calls;

import org.jspecify.annotations.NullMarked;
