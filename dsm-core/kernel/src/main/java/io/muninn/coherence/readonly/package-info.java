/**
 * Pages that are not written once the root has initialized them.
 *
 * <p>It may import {@code coherence.shared} and its imports. Start reading at {@link
 * io.muninn.coherence.readonly.ReadOnly}.
 */
@NullMarked
package io.muninn.coherence.readonly;

import org.jspecify.annotations.NullMarked;
