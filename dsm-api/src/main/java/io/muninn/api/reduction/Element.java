package io.muninn.api.reduction;

/** The type of the elements of a contribution. */
public enum Element {
    /** Bytes that only the application can combine. */
    OPAQUE(1, "bytes"),
    INT(Integer.BYTES, "int"),
    LONG(Long.BYTES, "long"),
    FLOAT(Float.BYTES, "float"),
    DOUBLE(Double.BYTES, "double"),
    /** A long and the index at which it was found, also a long. */
    LONG_AT(2 * Long.BYTES, "long with index"),
    /** A double and the index at which it was found, a long. */
    DOUBLE_AT(2 * Long.BYTES, "double with index");

    private final int bytes;
    private final String word;

    Element(int bytes, String word) {
        this.bytes = bytes;
        this.word = word;
    }

    public int bytes() {
        return bytes;
    }

    /** For messages. */
    String word() {
        return word;
    }

    boolean isFloating() {
        return this == FLOAT || this == DOUBLE || this == DOUBLE_AT;
    }

    boolean hasIndex() {
        return this == LONG_AT || this == DOUBLE_AT;
    }
}
