/**
 * Tests of the agents' network floor, over real sockets of this machine.
 *
 * <p>They may import {@code io.muninn.transport} and everything below. Start reading at {@link
 * io.muninn.transport.ClusterJoinTest}.
 */
@NullMarked
package io.muninn.transport;

import org.jspecify.annotations.NullMarked;
