package io.muninn.model;

/**
 * A shipped object, known by the same name on every node.
 *
 * @param name Unicode text of 1 to {@link #NAME_BYTES_MAX} bytes in UTF-8
 */
public record ObjectId(String name) implements Comparable<ObjectId> {
    private static final String TURN = "muninn.object ";

    /**
     * Longest name, in bytes of UTF-8. Leaves room for the suffix of the {@link #turn} lock's name.
     */
    public static final int NAME_BYTES_MAX = Names.BYTES_MAX - TURN.length();

    public ObjectId {
        Names.check("object", name);
        Names.check("the turn of object", TURN + name);
    }

    /** The lock that a thread holds while it runs a call of the object on the serving node. */
    public LockId turn() {
        return new LockId(TURN + name);
    }

    /** The name of the object whose turn a lock of this name is. */
    public static String ofTurn(String lockName) {
        return lockName.substring(TURN.length());
    }

    /** True if the lock is the turn of an object. */
    public static boolean isTurn(LockId lock) {
        return isTurn(lock.name());
    }

    /** True if a lock of this name is the turn of an object. */
    public static boolean isTurn(String lockName) {
        return lockName.startsWith(TURN);
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
