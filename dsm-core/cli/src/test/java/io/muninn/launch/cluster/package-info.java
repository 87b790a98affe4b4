/**
 * Tests of runs on several hosts, without other hosts. They may use everything of this module.
 * Start reading at {@link io.muninn.launch.cluster.ClusterEnvironmentTest}.
 */
@NullMarked
package io.muninn.launch.cluster;

import org.jspecify.annotations.NullMarked;
