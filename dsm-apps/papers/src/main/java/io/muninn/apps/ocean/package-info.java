/**
 * OCEAN: the wind drives a current in a square basin (Mowry, section 2.3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.ocean.OceanRun}.
 */
@NullMarked
package io.muninn.apps.ocean;

import org.jspecify.annotations.NullMarked;
