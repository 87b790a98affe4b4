/**
 * Per-node bookkeeping of pages: state, probable owner, copyset.
 *
 * <p>Arrays grow as pages are used, so that the cost of a large region depends on its used part. It
 * may import {@code io.muninn.api} and {@code io.muninn.model}. Start reading at {@link
 * io.muninn.directory.Directory}.
 */
@NullMarked
package io.muninn.directory;

import org.jspecify.annotations.NullMarked;
