/**
 * VOLREND: frames of a rotating volume, rendered by ray casting with an octree; tiles of a frame
 * are tasks in distributed queues (Bilas, Iftode, Samanta and Singh, section 6.2).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.volrend.VolumeMaps}.
 */
@NullMarked
package io.muninn.apps.volrend;

import org.jspecify.annotations.NullMarked;
