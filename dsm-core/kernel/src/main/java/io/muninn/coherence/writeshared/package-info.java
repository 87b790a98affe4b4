/**
 * Pages that several nodes write at the same time: release consistency with eager updates.
 *
 * <p>It may import {@code coherence.shared} and its imports. Start reading at {@link
 * io.muninn.coherence.writeshared.WriteShared}, which has the state × event table; the other
 * classes implement columns of it.
 */
@NullMarked
package io.muninn.coherence.writeshared;

import org.jspecify.annotations.NullMarked;
