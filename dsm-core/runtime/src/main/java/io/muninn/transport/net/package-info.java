/**
 * Addresses, names of hosts, and sockets that listen and connect. Nothing is known here of nodes'
 * messages.
 */
@NullMarked
package io.muninn.transport.net;

import org.jspecify.annotations.NullMarked;
