/**
 * Links between nodes, of which a stream to another agent is one: its frames and their encodings,
 * buffers, and counts of what was sent.
 */
@NullMarked
package io.muninn.transport.stream;

import org.jspecify.annotations.NullMarked;
