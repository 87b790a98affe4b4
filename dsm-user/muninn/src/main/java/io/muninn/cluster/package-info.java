/**
 * Clusters of processes that a program starts from its {@code main} or from a test, with its own
 * class path.
 *
 * <p>It may import everything below. Start reading at {@link io.muninn.cluster.ProcessCluster}.
 */
@NullMarked
package io.muninn.cluster;

import org.jspecify.annotations.NullMarked;
