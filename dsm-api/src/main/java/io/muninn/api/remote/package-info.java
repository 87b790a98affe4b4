/**
 * The words of remote variables: the operations on one word of memory, and sequences of operations
 * as bytes. Applications, agents and the simulator perform the same code, so operations of all of
 * them on one word are atomic with respect to each other.
 *
 * <p>It may import {@code io.muninn.api}. Start reading at {@link io.muninn.api.remote.RemoteWord}.
 */
@NullMarked
package io.muninn.api.remote;

import org.jspecify.annotations.NullMarked;
