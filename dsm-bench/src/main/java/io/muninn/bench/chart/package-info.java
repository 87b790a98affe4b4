/**
 * Charts as files.
 *
 * <p>It may import the library that draws, and nothing of ours. Start reading at {@link
 * io.muninn.bench.chart.ChartFiles}.
 */
@NullMarked
package io.muninn.bench.chart;

import org.jspecify.annotations.NullMarked;
