package io.muninn.api.spi;

import io.muninn.api.Cluster;

/**
 * Creates the session of this process; found by {@link java.util.ServiceLoader}. The live client is
 * available if an agent started this process; otherwise the API's own single node is used.
 */
public interface DsmProvider {
    /** True if this process can attach because an agent started it. */
    boolean isAvailable();

    /** The cluster that this process is to join. Called before {@link #attach}, or after it. */
    Cluster cluster();

    /**
     * Attaches this process to its agent. Called once.
     *
     * @param declared the layout of the program's declarations; the agent may override protocols
     * @throws io.muninn.api.DsmException if the cluster refuses this node; the text gives the
     *     reason
     */
    DsmSession attach(Layout declared);
}
