/**
 * Tests of the reports and the meters. They may use what this module's metrics may. Start reading
 * at {@link io.muninn.report.ReportJsonTest}.
 */
@NullMarked
package io.muninn.report;

import org.jspecify.annotations.NullMarked;
