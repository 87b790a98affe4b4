/**
 * ADI: a fragment of ADI integration on a long grid, as parallel loops (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.adi.AdiLoops}.
 */
@NullMarked
package io.muninn.apps.adi;

import org.jspecify.annotations.NullMarked;
