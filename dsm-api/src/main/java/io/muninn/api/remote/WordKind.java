package io.muninn.api.remote;

/** The type of a word of a remote variable. In operations, its value is 64 bits. */
public enum WordKind {
    /** The value is the number. */
    LONG(0, Long.BYTES),
    /** The value is the number, with its sign. */
    INT(1, Integer.BYTES),
    /** The value is the bits of the number, see {@link Double#doubleToRawLongBits}. */
    DOUBLE(2, Double.BYTES);

    private final int code;
    private final int bytes;

    WordKind(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** The number in messages; never reused. */
    public int code() {
        return code;
    }

    /** Size and alignment. */
    public int bytes() {
        return bytes;
    }

    /**
     * @throws IllegalArgumentException if no kind has that code
     */
    public static WordKind fromCode(int code) {
        return switch (code) {
            case 0 -> LONG;
            case 1 -> INT;
            case 2 -> DOUBLE;
            default -> throw new IllegalArgumentException("no kind of word has code " + code);
        };
    }
}
