/**
 * MULT: matrix multiplication; each thread computes some rows of the product (Munin §6.1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.mult.Mult}.
 */
@NullMarked
package io.muninn.apps.mult;

import org.jspecify.annotations.NullMarked;
