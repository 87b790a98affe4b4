/**
 * The two kernels by which languages with a partitioned global address space are compared: updates
 * of random words, and loads of random words, one by one and aggregated.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.pgas.Histogram}.
 */
@NullMarked
package io.muninn.apps.pgas;

import org.jspecify.annotations.NullMarked;
