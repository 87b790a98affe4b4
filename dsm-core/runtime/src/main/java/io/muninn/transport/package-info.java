/**
 * A node's membership in a cluster: messages, heartbeats, and the end of a run, in order or by
 * loss.
 *
 * <p>The packages below depend on each other in this order, each on those before it: {@code loop},
 * {@code net}, {@code stream}, {@code local}, {@code join}. They may import every package below
 * floor 6, Netty, and the check of a socket's peer in {@code nativefault}; they do not depend on
 * protocols or pages. Start reading at {@link io.muninn.transport.Cluster}, then {@link
 * io.muninn.transport.loop.AgentEventLoop}.
 */
@NullMarked
package io.muninn.transport;

import org.jspecify.annotations.NullMarked;
