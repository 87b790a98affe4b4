/**
 * Function shipping: the encoding of an interface's calls, the proxies of callers, and the served
 * objects. A {@link io.muninn.api.shipping.Route} transfers the bytes.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.model}. Start reading at {@link
 * io.muninn.api.shipping.ShippedObjects}.
 */
@NullMarked
package io.muninn.api.shipping;

import org.jspecify.annotations.NullMarked;
