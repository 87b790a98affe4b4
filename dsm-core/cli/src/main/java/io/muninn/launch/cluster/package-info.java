/**
 * Runs on several hosts: where a task of Slurm, Open MPI or Kubernetes stands in its run, hosts
 * that are reached by ssh, and the manifests of a Kubernetes job.
 *
 * <p>It may import {@code launch.process} and its permitted imports. Start reading at {@link
 * io.muninn.launch.cluster.ClusterEnvironment}.
 */
@NullMarked
package io.muninn.launch.cluster;

import org.jspecify.annotations.NullMarked;
