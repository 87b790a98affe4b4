/**
 * Per-node bookkeeping of pages: state, probable owner, copyset.
 *
 * <p>Arrays, grown as pages are touched, so that a large region costs what is used of it. It may
 * import {@code io.muninn.api} and {@code io.muninn.model}. Start reading at {@link
 * io.muninn.directory.Directory}.
 */
@NullMarked
package io.muninn.directory;

import org.jspecify.annotations.NullMarked;
