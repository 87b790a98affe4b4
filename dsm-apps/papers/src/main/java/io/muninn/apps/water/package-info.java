/**
 * WATER: molecules of water move by Newton's laws; every pair is looked at, or only those in cells
 * beside each other (Mowry, section 2.3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.water.WaterModel}.
 */
@NullMarked
package io.muninn.apps.water;

import org.jspecify.annotations.NullMarked;
