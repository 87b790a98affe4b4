package io.muninn.api.spi;

import io.muninn.api.DsmNode;

/** What every implementation of {@link DsmNode} refuses, in the same words. */
public final class NodeChecks {
    private NodeChecks() {}

    /**
     * Refuses a lock that would be one too many.
     *
     * @param opened different names of locks that this node has asked for so far
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
     * Refuses a virtual thread, which would hold its carrier while it waits.
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
     * Refuses negative work.
     *
     * @throws IllegalArgumentException if {@code units} is negative
     */
    public static void checkWork(long units) {
        if (units < 0) {
            throw new IllegalArgumentException("work of " + units + " units, less than 0");
        }
    }
}
