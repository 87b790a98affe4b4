package io.muninn.model;

/**
 * A shipped object, known by the same name on every node.
 *
 * @param name 1 to {@link Names#BYTES_MAX} bytes in UTF-8
 */
public record ObjectId(String name) implements Comparable<ObjectId> {
    public ObjectId {
        Names.check("object", name);
    }

    @Override
    public int compareTo(ObjectId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
