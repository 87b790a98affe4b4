/**
 * Times of one operation, how long it had to be repeated before they counted, and what came of
 * them: for programs in shared memory and for the bare floors beside them alike.
 *
 * <p>It may import nothing of ours. Start reading at {@link io.muninn.bench.series.Series}.
 */
@NullMarked
package io.muninn.bench.series;

import org.jspecify.annotations.NullMarked;
