package io.muninn.api;

/**
 * An operation that replaces a word of a remote variable by its combination with an operand. It is
 * a value, and no lambda, because the node that performs it may be another one.
 *
 * <p>OpenSHMEM has these as {@code shmem_atomic_swap}, {@code _fetch_add}, {@code _fetch_and},
 * {@code _fetch_or} and {@code _fetch_xor}; UPC++ as operations of an {@code atomic_domain}.
 */
public enum Op {
    /** The operand. */
    REPLACE(0),
    /** The sum; of integers without a check for overflow. */
    SUM(1),
    /** The smaller one; of doubles as {@link Math#min(double, double)}. */
    MIN(2),
    /** The larger one; of doubles as {@link Math#max(double, double)}. */
    MAX(3),
    /** The bits that both have; not of doubles. */
    AND(4),
    /** The bits that one of them has; not of doubles. */
    OR(5),
    /** The bits in which they differ; not of doubles. */
    XOR(6);

    private final int code;

    Op(int code) {
        this.code = code;
    }

    /** The number in messages; never reused. */
    public int code() {
        return code;
    }

    /** True if it combines bits, and not numbers. */
    public boolean isOfBits() {
        return this == AND || this == OR || this == XOR;
    }

    /**
     * @throws IllegalArgumentException if no operation has that code
     */
    public static Op fromCode(int code) {
        return switch (code) {
            case 0 -> REPLACE;
            case 1 -> SUM;
            case 2 -> MIN;
            case 3 -> MAX;
            case 4 -> AND;
            case 5 -> OR;
            case 6 -> XOR;
            default -> throw new IllegalArgumentException("no operation has code " + code);
        };
    }
}
