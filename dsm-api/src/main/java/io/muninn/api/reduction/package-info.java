/**
 * The contributions to a reduction, encoded and combined: the one implementation that nodes, the
 * barrier manager and a single node without an agent share. Sees the model and the public types of
 * the API; begin with {@link io.muninn.api.reduction.Round}.
 */
@NullMarked
package io.muninn.api.reduction;

import org.jspecify.annotations.NullMarked;
