/**
 * Links between the nodes of one agent. Their messages are delivered within the agent's loop, in
 * the order in which they were sent.
 */
@NullMarked
package io.muninn.transport.local;

import org.jspecify.annotations.NullMarked;
