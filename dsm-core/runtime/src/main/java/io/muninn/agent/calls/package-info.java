/**
 * The calls of application threads: sockets and mailboxes receive them, the kernel steps them as
 * events, and its outcomes are sent as answers.
 *
 * <p>It may import everything below the agent, and no other package of the agent. Start reading at
 * {@link io.muninn.agent.calls.CallServer}.
 */
@NullMarked
package io.muninn.agent.calls;

import org.jspecify.annotations.NullMarked;
