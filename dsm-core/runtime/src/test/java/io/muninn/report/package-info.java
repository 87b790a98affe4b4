/**
 * Tests of the reports and the meters. They may import everything that the {@code report} package
 * may. Start reading at {@link io.muninn.report.ReportJsonTest}.
 */
@NullMarked
package io.muninn.report;

import org.jspecify.annotations.NullMarked;
