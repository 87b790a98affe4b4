/**
 * Pages without a home: lazy release consistency, whose diffs remain with their writers until a
 * reader asks for them.
 *
 * <p>It may import {@code coherence.shared} and what that may import. Start reading at {@link
 * io.muninn.coherence.lazy.Lazy}, which has the state × event table.
 */
@NullMarked
package io.muninn.coherence.lazy;

import org.jspecify.annotations.NullMarked;
