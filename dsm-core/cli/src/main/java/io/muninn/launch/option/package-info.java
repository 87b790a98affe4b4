/**
 * The options of the commands, with their words, ranges and checks, and the programs that can be
 * named.
 *
 * <p>It may import {@code launch.report} and its permitted imports. Start reading at {@link
 * io.muninn.launch.option.NodeOptions}.
 */
@NullMarked
package io.muninn.launch.option;

import org.jspecify.annotations.NullMarked;
