/**
 * How nodes meet: the configuration and secret of a cluster, dialling, listening, the handshake,
 * and the roster that connects every node with every other.
 */
@NullMarked
package io.muninn.transport.join;

import org.jspecify.annotations.NullMarked;
