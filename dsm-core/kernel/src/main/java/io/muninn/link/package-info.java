/**
 * The links between a program's node and its kernel, as far as live and simulated nodes share them:
 * each request of a link becomes an event, and each outcome a result or an exception. How a thread
 * passes an event to its kernel is left to {@link io.muninn.link.ThreadCalls}.
 *
 * <p>This is the application's side, whose threads block. It may import {@code spi} and below.
 * Start reading at {@link io.muninn.link.EventLink}.
 */
@NullMarked
package io.muninn.link;

import org.jspecify.annotations.NullMarked;
