/**
 * RAYTRACE: one image of a scene of spheres and triangles, with shadows and reflections; tiles of
 * the image are tasks in distributed queues (Bilas, Iftode, Samanta and Singh, section 6.2).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.raytrace.RayTracer}.
 */
@NullMarked
package io.muninn.apps.raytrace;

import org.jspecify.annotations.NullMarked;
