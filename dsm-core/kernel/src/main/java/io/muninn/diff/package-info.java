/**
 * Twins, diffs and zeros of pages in the simulator's memory; the native engine handles live pages.
 *
 * <p>Pure functions over bytes, in the engine's format. It imports nothing of this project. Start
 * reading at {@link io.muninn.diff.Diff}.
 */
@NullMarked
package io.muninn.diff;

import org.jspecify.annotations.NullMarked;
