/**
 * WATER: molecular dynamics of water, over all pairs of molecules or over pairs in neighbouring
 * cells (Mowry, section 2.3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.water.WaterModel}.
 */
@NullMarked
package io.muninn.apps.water;

import org.jspecify.annotations.NullMarked;
