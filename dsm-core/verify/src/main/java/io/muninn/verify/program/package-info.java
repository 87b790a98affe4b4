/**
 * Programs as data: the operations of each thread. They can be generated, printed, shrunk and run
 * again.
 *
 * <p>It may import {@code io.muninn.sim} and its permitted imports. Start reading at {@link
 * io.muninn.verify.program.Program}.
 */
@NullMarked
package io.muninn.verify.program;

import org.jspecify.annotations.NullMarked;
