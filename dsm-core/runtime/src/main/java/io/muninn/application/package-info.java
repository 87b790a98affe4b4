/**
 * The application's side of a node: attaches to the agent, maps the regions, and makes one blocking
 * round trip per synchronization call, or none.
 *
 * <p>It may import floors 5 and below and {@code nativefault}; it runs in the JVM whose threads
 * fault, and resolves no fault. Start reading at {@link io.muninn.application.LiveLink}.
 */
@NullMarked
package io.muninn.application;

import org.jspecify.annotations.NullMarked;
