package io.muninn.api.spi;

import io.muninn.api.DsmNode;

/**
 * Argument and state checks common to all implementations of {@link DsmNode}, with the same
 * messages.
 */
public final class NodeChecks {
    private NodeChecks() {}

    /**
     * Checks that the node may use one more lock.
     *
     * @param opened number of different locks that this node already uses
     * @throws IllegalStateException if they are {@link DsmNode#LOCKS_MAX}
     */
    public static void checkLocks(int node, int opened, String name) {
        if (opened >= DsmNode.LOCKS_MAX) {
            throw new IllegalStateException(
                    "lock '"
                            + name
                            + "' is one more than node "
                            + node
                            + " can have: "
                            + DsmNode.LOCKS_MAX
                            + " different names in a run (DsmNode.LOCKS_MAX). Use a fixed number"
                            + " of names, such as one for each residue of a key's hash");
        }
    }

    /**
     * Checks that the calling thread is not virtual: it would hold its carrier while it waits.
     *
     * @throws IllegalStateException if the calling thread is virtual
     */
    public static void checkThread() {
        Thread self = Thread.currentThread();
        if (self.isVirtual()) {
            throw new IllegalStateException(
                    self
                            + " is virtual and cannot use a DsmNode: synchronize on a platform"
                            + " thread, such as the application thread that run() is called on");
        }
    }

    /**
     * Checks an amount of work.
     *
     * @throws IllegalArgumentException if {@code units} is negative
     */
    public static void checkWork(long units) {
        if (units < 0) {
            throw new IllegalArgumentException("work of " + units + " units, less than 0");
        }
    }
}
