/**
 * The forms that programs give their loops, over views and over heap arrays: what does a plain
 * program lose?
 *
 * <p>It may import the API alone. Start reading at {@link io.muninn.bench.shape.Shapes}.
 */
@NullMarked
package io.muninn.bench.shape;

import org.jspecify.annotations.NullMarked;
