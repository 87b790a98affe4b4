/**
 * The tables and figures of papers that this project implements, run again on pretended machines
 * and written beside the papers' own numbers.
 *
 * <p>It may import {@code io.muninn.launch} and everything below. Start reading at {@link
 * io.muninn.bench.paper.PaperRuns}.
 */
@NullMarked
package io.muninn.bench.paper;

import org.jspecify.annotations.NullMarked;
