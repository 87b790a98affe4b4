/**
 * The command line: the commands and their options, and the launcher, which starts one agent per
 * node on this host and leaves no process behind.
 *
 * <p>The top floor of this module; it may import everything below. Start reading at {@link
 * io.muninn.launch.Main}.
 */
@NullMarked
package io.muninn.launch;

import org.jspecify.annotations.NullMarked;
