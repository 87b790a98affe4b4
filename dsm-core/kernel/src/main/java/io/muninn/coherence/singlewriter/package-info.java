/**
 * Lazy release consistency with one writer of each page at a time.
 *
 * <p>It may import {@code coherence.shared} and its imports. Start reading at {@link
 * io.muninn.coherence.singlewriter.SingleWriter}, which has the state × event table.
 */
@NullMarked
package io.muninn.coherence.singlewriter;

import org.jspecify.annotations.NullMarked;
