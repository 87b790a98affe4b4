/**
 * GAUSS: Gaussian elimination with partial pivoting, striped by columns (Munin §6.6).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.gauss.Gauss}.
 */
@NullMarked
package io.muninn.apps.gauss;

import org.jspecify.annotations.NullMarked;
