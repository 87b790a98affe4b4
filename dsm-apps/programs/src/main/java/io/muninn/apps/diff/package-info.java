/**
 * DIFF: finite differencing; neighbours exchange one row per sweep (Munin §6.2).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.diff.Diff}.
 */
@NullMarked
package io.muninn.apps.diff;

import org.jspecify.annotations.NullMarked;
