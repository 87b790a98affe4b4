/**
 * Pages with a home: release consistency with lazy invalidations; diffs are sent to the home.
 *
 * <p>It may import {@code coherence.shared} and its imports. Start reading at {@link
 * io.muninn.coherence.homebased.HomeBased}, which has the state × event table.
 */
@NullMarked
package io.muninn.coherence.homebased;

import org.jspecify.annotations.NullMarked;
