/**
 * BARNES: gravitation of bodies; cells of an octree approximate distant bodies (Bilas et al.,
 * section 6.2). Two programs differ in how the threads build the tree in each step.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.barnes.Octree}.
 */
@NullMarked
package io.muninn.apps.barnes;

import org.jspecify.annotations.NullMarked;
