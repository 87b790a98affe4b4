/**
 * The command line: the commands, of which other modules may add more.
 *
 * <p>It may import its subpackages and everything below. Start reading at {@link
 * io.muninn.launch.Main}.
 */
@NullMarked
package io.muninn.launch;

import org.jspecify.annotations.NullMarked;
