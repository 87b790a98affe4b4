package io.muninn.model;

/**
 * A lock, known by the same name on every node.
 *
 * @param name Unicode text of 1 to {@link #NAME_BYTES_MAX} bytes in UTF-8
 */
public record LockId(String name) implements Comparable<LockId> {
    /** Longest name, in bytes of UTF-8. */
    public static final int NAME_BYTES_MAX = Names.BYTES_MAX;

    public LockId {
        Names.check("lock", name);
    }

    @Override
    public int compareTo(LockId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
