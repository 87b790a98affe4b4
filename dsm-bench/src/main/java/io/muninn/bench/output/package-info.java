/**
 * Output of the commands of this module: the folder of results, and charts as files.
 *
 * <p>It may import the chart library and {@code io.muninn.report}. Start reading at {@link
 * io.muninn.bench.output.ResultFolder}.
 */
@NullMarked
package io.muninn.bench.output;

import org.jspecify.annotations.NullMarked;
