/**
 * Lazy release consistency without homes: diffs remain on the nodes that made them until other
 * nodes request them.
 *
 * <p>It may import {@code coherence.shared} and its imports. Start reading at {@link
 * io.muninn.coherence.lazy.Lazy}, which has the state × event table.
 */
@NullMarked
package io.muninn.coherence.lazy;

import org.jspecify.annotations.NullMarked;
