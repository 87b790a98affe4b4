/**
 * JACOBI: a stencil with a convergence test, as parallel loops (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.jacobi.JacobiLoops}.
 */
@NullMarked
package io.muninn.apps.jacobi;

import org.jspecify.annotations.NullMarked;
