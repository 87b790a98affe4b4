package io.muninn.model;

/**
 * A barrier, known by the same name on every node.
 *
 * @param name Unicode text of 1 to {@link #NAME_BYTES_MAX} bytes in UTF-8
 */
public record BarrierId(String name) implements Comparable<BarrierId> {
    /** Longest name, in bytes of UTF-8. */
    public static final int NAME_BYTES_MAX = Names.BYTES_MAX;

    public BarrierId {
        Names.check("barrier", name);
    }

    @Override
    public int compareTo(BarrierId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
