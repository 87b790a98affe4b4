/**
 * Counters and reports: what a node counted, the table and the JSON of a run, and the meters.
 *
 * <p>It may import floors 5 and below. Start reading at {@link io.muninn.metrics.RunReport}.
 */
@NullMarked
package io.muninn.metrics;

import org.jspecify.annotations.NullMarked;
