/**
 * The agents' network floor: one event loop, one connection per pair of nodes, frames, membership,
 * heartbeats and the orderly or disorderly end of a run.
 *
 * <p>It may import every package below floor 6, Netty, and of {@code nativefault} the rings; it
 * knows no protocol and no page. Start reading at {@link io.muninn.transport.Cluster}, then {@link
 * io.muninn.transport.AgentEventLoop}.
 */
@NullMarked
package io.muninn.transport;

import org.jspecify.annotations.NullMarked;
