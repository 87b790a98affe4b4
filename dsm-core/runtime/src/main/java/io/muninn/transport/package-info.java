/**
 * The agents' network floor: one event loop, one connection per pair of nodes, frames, membership,
 * heartbeats and the end of a run, in order or by loss.
 *
 * <p>It may import every package below floor 6, Netty, and the check of a socket's peer in {@code
 * nativefault}; it does not depend on protocols or pages. Start reading at {@link
 * io.muninn.transport.Cluster}, then {@link io.muninn.transport.AgentEventLoop}.
 */
@NullMarked
package io.muninn.transport;

import org.jspecify.annotations.NullMarked;
