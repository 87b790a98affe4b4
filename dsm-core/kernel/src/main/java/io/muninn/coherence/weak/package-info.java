/**
 * Weak pages: a frame at the home of each page, a coherent map of its mappers, and write notices to
 * them, upon which their acquires act.
 *
 * <p>Start reading at {@link io.muninn.coherence.weak.Weak}.
 */
@NullMarked
package io.muninn.coherence.weak;

import org.jspecify.annotations.NullMarked;
