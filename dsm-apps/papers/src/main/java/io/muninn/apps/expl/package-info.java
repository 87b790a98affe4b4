/**
 * EXPL: a fragment of explicit hydrodynamics, as parallel loops (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.expl.ExplLoops}.
 */
@NullMarked
package io.muninn.apps.expl;

import org.jspecify.annotations.NullMarked;
