/**
 * LU: factorization of a dense matrix in square tiles, without pivoting (Mowry, section 2.3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.lu.LuTiles}.
 */
@NullMarked
package io.muninn.apps.lu;

import org.jspecify.annotations.NullMarked;
