/**
 * IRREG: relaxation over an irregular mesh, as parallel loops (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.irreg.IrregLoops}.
 */
@NullMarked
package io.muninn.apps.irreg;

import org.jspecify.annotations.NullMarked;
