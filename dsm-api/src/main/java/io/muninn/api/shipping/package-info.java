/**
 * Function shipping: what an interface's calls look like as bytes, the objects that callers hold,
 * and the objects that serve. How bytes travel is left to a {@link io.muninn.api.shipping.Route}.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.model}. Start reading at {@link
 * io.muninn.api.shipping.ShippedObjects}.
 */
@NullMarked
package io.muninn.api.shipping;

import org.jspecify.annotations.NullMarked;
