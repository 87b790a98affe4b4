/**
 * The reports of whole runs, of comparisons and of simulated processors.
 *
 * <p>It may import {@code launch.process}. Start reading at {@link
 * io.muninn.launch.report.RunReports}.
 */
@NullMarked
package io.muninn.launch.report;

import org.jspecify.annotations.NullMarked;
