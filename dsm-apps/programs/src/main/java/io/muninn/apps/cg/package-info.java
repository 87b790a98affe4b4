/**
 * CG: the conjugate gradient method with a sparse matrix. An iteration is short relative to
 * synchronization.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.cg.Cg}.
 */
@NullMarked
package io.muninn.apps.cg;

import org.jspecify.annotations.NullMarked;
