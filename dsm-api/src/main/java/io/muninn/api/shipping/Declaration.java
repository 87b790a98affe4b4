package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import io.muninn.model.ObjectId;

/**
 * A node's declaration of a shipped object.
 *
 * @param type binary name of the interface
 * @param node the node that serves it, 0-based
 * @param fingerprint hash of the interface's methods, their types and the node; equal on all nodes
 *     that agree
 */
public record Declaration(ObjectId object, String type, int node, long fingerprint) {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    static Declaration of(ObjectId object, ShippedInterface type, int node) {
        String all = node + " " + type.describe();
        long hash = FNV_OFFSET;
        for (int i = 0; i < all.length(); i++) {
            hash = (hash ^ all.charAt(i)) * FNV_PRIME;
        }
        return new Declaration(object, type.type().getName(), node, hash);
    }

    /**
     * Creates the exception for a serving node that declares another object, or none.
     *
     * @param self the node of this declaration
     * @param theirs the serving node's description
     */
    public DsmException differs(int self, String theirs) {
        return new DsmException(
                "object '"
                        + object
                        + "' is "
                        + text()
                        + " as node "
                        + self
                        + " declares it, but "
                        + theirs);
    }

    /**
     * Creates the exception for a call during initialization, when only objects of the root can be
     * called.
     */
    public IllegalStateException tooEarly() {
        return new IllegalStateException(
                "object '"
                        + object
                        + "' on node "
                        + node
                        + " cannot be called during initialization");
    }

    /** The interface and the node, as text for the user. */
    public String text() {
        return type + " on node " + node;
    }
}
