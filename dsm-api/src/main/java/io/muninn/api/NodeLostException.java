package io.muninn.api;

/**
 * A node of the cluster is gone, and with it the run: thrown by every blocked and every later call.
 * {@code finally} blocks have a second before the process ends.
 */
public class NodeLostException extends DsmException {
    private static final long serialVersionUID = 1L;

    private final int node;

    /**
     * @param node the node that is gone, 0-based
     * @param detail how its loss was noticed, for a person
     */
    public NodeLostException(int node, String detail) {
        super("node " + node + " is lost: " + detail);
        this.node = node;
    }

    /** The node that is gone, 0-based. */
    public int node() {
        return node;
    }
}
