/**
 * A solver of tridiagonal systems of the Navier-Stokes equations (Kontothanassis and Scott, section
 * 3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.appbt.Appbt}.
 */
@NullMarked
package io.muninn.apps.appbt;

import org.jspecify.annotations.NullMarked;
