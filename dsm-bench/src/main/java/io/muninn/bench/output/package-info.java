/**
 * What the commands of this module write: the folder of their results, and charts as files.
 *
 * <p>It may import the library that draws, and of ours {@code io.muninn.report}. Start reading at
 * {@link io.muninn.bench.output.ResultFolder}.
 */
@NullMarked
package io.muninn.bench.output;

import org.jspecify.annotations.NullMarked;
