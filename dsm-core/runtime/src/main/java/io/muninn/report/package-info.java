/**
 * Counters and reports: a node's counts, the table and the JSON of a run, and the meters.
 *
 * <p>It may import floors 5 and below. Start reading at {@link io.muninn.report.RunReport}.
 */
@NullMarked
package io.muninn.report;

import org.jspecify.annotations.NullMarked;
