/**
 * Benchmarks of loops in the forms that occur in programs, over views and over heap arrays.
 *
 * <p>It may import the API only. Start reading at {@link io.muninn.bench.shape.Shapes}.
 */
@NullMarked
package io.muninn.bench.shape;

import org.jspecify.annotations.NullMarked;
