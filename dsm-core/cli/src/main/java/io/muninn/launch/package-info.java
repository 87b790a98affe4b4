/**
 * The command line: what {@code dsm run} and {@code dsm node} understand, and the launcher that
 * starts a node's agent once per node of this host and sees to it that nothing is left behind.
 *
 * <p>The top floor of this module; it may import everything below. Start reading at {@link
 * io.muninn.launch.Main}.
 */
@NullMarked
package io.muninn.launch;

import org.jspecify.annotations.NullMarked;
