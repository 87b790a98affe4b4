/**
 * BARNES: bodies attract each other; an octree of the space stands for distant ones (Bilas et al.,
 * section 6.2). Two programs differ in how all threads build the tree in each step.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.barnes.Octree}.
 */
@NullMarked
package io.muninn.apps.barnes;

import org.jspecify.annotations.NullMarked;
