package io.muninn.api.spi;

/**
 * Makes a session for this process; found by {@link java.util.ServiceLoader}. The live client is
 * available when an agent started this process; otherwise the API's own single node serves.
 */
public interface DsmProvider {
    /** True when this process can attach: it was started by an agent. */
    boolean isAvailable();

    /**
     * Attaches this process to its agent. Called once.
     *
     * @param declared what the program declares; the agent may override protocols
     * @throws io.muninn.api.DsmException if the cluster refuses this node, naming why
     */
    DsmSession attach(Layout declared);
}
