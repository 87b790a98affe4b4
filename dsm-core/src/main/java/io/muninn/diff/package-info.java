/**
 * Differences between a page and its twin, in the bytes that travel.
 *
 * <p>Pure: the same format as the native engine's, for pages that no other thread stores to
 * meanwhile. It imports nothing of this project. Start reading at {@link io.muninn.diff.Diff}.
 */
@NullMarked
package io.muninn.diff;

import org.jspecify.annotations.NullMarked;
