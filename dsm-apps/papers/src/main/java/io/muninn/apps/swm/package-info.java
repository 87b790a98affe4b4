/**
 * SWM: the shallow water equations on a periodic grid, as parallel loops (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.swm.SwmLoops}.
 */
@NullMarked
package io.muninn.apps.swm;

import org.jspecify.annotations.NullMarked;
