/**
 * DOT: the inner product of two vectors, as a parallel loop (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.dot.DotLoops}.
 */
@NullMarked
package io.muninn.apps.dot;

import org.jspecify.annotations.NullMarked;
