/**
 * Times of one operation: its warm-up, its samples and their results. Used by programs in shared
 * memory and by the measurement of floors.
 *
 * <p>It may import only {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.bench.series.Series}.
 */
@NullMarked
package io.muninn.bench.series;

import org.jspecify.annotations.NullMarked;
