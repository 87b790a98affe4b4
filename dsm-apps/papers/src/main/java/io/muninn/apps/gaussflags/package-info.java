/**
 * Gaussian elimination without pivoting, with locks as flags of finished rows (Kontothanassis and
 * Scott, section 3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.gaussflags.GaussFlags}.
 */
@NullMarked
package io.muninn.apps.gaussflags;

import org.jspecify.annotations.NullMarked;
