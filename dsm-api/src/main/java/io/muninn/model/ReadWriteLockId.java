package io.muninn.model;

/**
 * A reader-writer lock, known by the same name on every node. Its names and those of locks are
 * separate name spaces.
 *
 * @param name Unicode text of 1 to {@link LockId#NAME_BYTES_MAX} bytes in UTF-8
 */
public record ReadWriteLockId(String name) implements Comparable<ReadWriteLockId> {
    private static final String CHAIN = "muninn.read-write ";

    public ReadWriteLockId {
        Names.check("reader-writer lock", name);
    }

    /**
     * The node that manages the lock. It is computed from the name as {@link String#hashCode}
     * specifies it, so it is the same on every JVM.
     *
     * @param nodes number of nodes in the cluster
     */
    public NodeId manager(int nodes) {
        int hash = name.hashCode();
        return NodeId.of(Math.floorMod(hash ^ hash >>> 16, nodes));
    }

    /** Its name among the locks of a chain of shipped calls, where it differs from every lock's. */
    public String chainName() {
        return CHAIN + name;
    }

    @Override
    public int compareTo(ReadWriteLockId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
