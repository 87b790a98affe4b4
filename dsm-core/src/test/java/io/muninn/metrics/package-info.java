/**
 * Tests of the reports and the meters. They may use what this module's metrics may. Start reading
 * at {@link io.muninn.metrics.ReportJsonTest}.
 */
@NullMarked
package io.muninn.metrics;

import org.jspecify.annotations.NullMarked;
