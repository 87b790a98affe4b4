package io.muninn.api;

/**
 * A node of the cluster is lost, which ends the run: every blocked and every later call throws it.
 * {@code finally} blocks have one second before the process ends.
 */
public class NodeLostException extends DsmException {
    private static final long serialVersionUID = 1L;

    private final int node;

    /**
     * @param node the lost node, 0-based
     * @param detail how the loss was detected, as text for the user
     */
    public NodeLostException(int node, String detail) {
        super("node " + node + " is lost: " + detail);
        this.node = node;
    }

    /** The lost node, 0-based. */
    public int node() {
        return node;
    }
}
