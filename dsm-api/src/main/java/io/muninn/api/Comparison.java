package io.muninn.api;

/**
 * How a word of a remote variable is compared with a value, in a wait. The constants are those of
 * OpenSHMEM's {@code shmem_wait_until}.
 */
public enum Comparison {
    EQUAL(0),
    NOT_EQUAL(1),
    LESS(2),
    LESS_OR_EQUAL(3),
    GREATER(4),
    GREATER_OR_EQUAL(5);

    private final int code;

    Comparison(int code) {
        this.code = code;
    }

    /** The number in messages; never reused. */
    public int code() {
        return code;
    }

    /**
     * @throws IllegalArgumentException if no comparison has that code
     */
    public static Comparison fromCode(int code) {
        for (Comparison comparison : values()) {
            if (comparison.code == code) {
                return comparison;
            }
        }
        throw new IllegalArgumentException("no comparison has code " + code);
    }

    /** Whether it holds of two integers. */
    public boolean holds(long left, long right) {
        return switch (this) {
            case EQUAL -> left == right;
            case NOT_EQUAL -> left != right;
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
            case GREATER -> left > right;
            case GREATER_OR_EQUAL -> left >= right;
        };
    }

    /** Whether it holds of two doubles, as the operators of Java compare them. */
    public boolean holds(double left, double right) {
        return switch (this) {
            case EQUAL -> left == right;
            case NOT_EQUAL -> left != right;
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
            case GREATER -> left > right;
            case GREATER_OR_EQUAL -> left >= right;
        };
    }
}
