/**
 * Pages that move to the node that uses them; there is one copy of each.
 *
 * <p>It may import {@code coherence.shared} and its imports. Start reading at {@link
 * io.muninn.coherence.migratory.Migratory}.
 */
@NullMarked
package io.muninn.coherence.migratory;

import org.jspecify.annotations.NullMarked;
