package io.muninn.model;

/**
 * A shipped object, known by the same name on every node.
 *
 * @param name 1 to {@link #NAME_BYTES_MAX} bytes in UTF-8
 */
public record ObjectId(String name) implements Comparable<ObjectId> {
    private static final String TURN = "muninn.object ";

    /** Longest name, in bytes of UTF-8: the name of its {@link #turn} has to be one, too. */
    public static final int NAME_BYTES_MAX = Names.BYTES_MAX - TURN.length();

    public ObjectId {
        Names.check("object", name);
        Names.check("the turn of object", TURN + name);
    }

    /** The lock that whoever runs a call of the object holds, on the node that serves it. */
    public LockId turn() {
        return new LockId(TURN + name);
    }

    /** True for the turn of some object. */
    public static boolean isTurn(LockId lock) {
        return lock.name().startsWith(TURN);
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
