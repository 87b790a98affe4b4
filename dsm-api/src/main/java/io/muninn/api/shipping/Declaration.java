package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import io.muninn.model.ObjectId;

/**
 * What a node knows of a shipped object.
 *
 * @param type binary name of the interface
 * @param node the node that serves it, 0-based
 * @param fingerprint of the interface's methods, their types and the node: equal on all nodes that
 *     agree
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
     * The serving node means another object.
     *
     * @param self the node that has declared this
     * @param theirs what the object is there, as {@link #text} says it
     */
    public DsmException differs(int self, String theirs) {
        return new DsmException(
                "object '"
                        + object
                        + "' is "
                        + text()
                        + " as node "
                        + self
                        + " declares it, and "
                        + theirs
                        + " as node "
                        + node
                        + " does");
    }

    /** The object is called during initialization, when only the root's can be. */
    public IllegalStateException tooEarly() {
        return new IllegalStateException(
                "object '"
                        + object
                        + "' on node "
                        + node
                        + " cannot be called during initialization");
    }

    /** For a person: the interface and the node. */
    public String text() {
        return type + " on node " + node;
    }
}
