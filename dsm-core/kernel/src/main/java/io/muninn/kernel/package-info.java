/**
 * The kernel of a node: routes events to protocols and to synchronization, and performs effects
 * through ports.
 *
 * <p>The kernel itself is pure; it may import every package below floor 5. Start reading at {@link
 * io.muninn.kernel.NodeKernel}.
 */
@NullMarked
package io.muninn.kernel;

import org.jspecify.annotations.NullMarked;
