/**
 * QSORT: quicksort with a queue of parts still to be sorted (Munin §6.4).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.qsort.QsortShared}.
 */
@NullMarked
package io.muninn.apps.qsort;

import org.jspecify.annotations.NullMarked;
