package io.muninn.model;

/**
 * A condition of a lock, known by the same names on every node.
 *
 * @param lock that a thread holds to wait or to signal
 * @param name Unicode text of 1 to {@link #NAME_BYTES_MAX} bytes in UTF-8; unique for its lock
 */
public record ConditionId(LockId lock, String name) implements Comparable<ConditionId> {
    /** Longest name, in bytes of UTF-8. */
    public static final int NAME_BYTES_MAX = Names.BYTES_MAX;

    public ConditionId {
        Names.check("condition", name);
    }

    /** The name of the {@code index}-th condition that a node creates for a lock without a name. */
    public static String numbered(int index) {
        return "#" + index;
    }

    @Override
    public int compareTo(ConditionId other) {
        int byLock = lock.compareTo(other.lock);
        return byLock != 0 ? byLock : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return lock + "/" + name;
    }
}
