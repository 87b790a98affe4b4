/**
 * CG: the conjugate gradient method on a sparse matrix, where an iteration is shorter than most
 * synchronizations.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.cg.Cg}.
 */
@NullMarked
package io.muninn.apps.cg;

import org.jspecify.annotations.NullMarked;
