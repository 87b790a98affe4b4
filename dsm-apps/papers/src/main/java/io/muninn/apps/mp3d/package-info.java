/**
 * Particles of a rarefied flow in the cells of a tunnel (Kontothanassis and Scott, section 3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.mp3d.Mp3d}.
 */
@NullMarked
package io.muninn.apps.mp3d;

import org.jspecify.annotations.NullMarked;
