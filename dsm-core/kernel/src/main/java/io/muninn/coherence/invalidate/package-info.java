/**
 * Write-invalidate protocols: one writer or several readers of a page at a time. Conventional
 * memory is sequentially consistent; the pipelined variant lets stores continue before all copies
 * have ended.
 *
 * <p>It may import {@code coherence.shared} and its imports. Start reading at {@link
 * io.muninn.coherence.invalidate.WriteInvalidate}, on which both are built.
 */
@NullMarked
package io.muninn.coherence.invalidate;

import org.jspecify.annotations.NullMarked;
