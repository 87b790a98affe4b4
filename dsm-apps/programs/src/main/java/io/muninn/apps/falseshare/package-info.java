/**
 * Threads that store to disjoint elements of the same pages.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.falseshare.FalseShare}.
 */
@NullMarked
package io.muninn.apps.falseshare;

import org.jspecify.annotations.NullMarked;
