package io.muninn.verify.pool;

/** A node has loaded an old value, or stores are lost. */
public final class PoolViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PoolViolation(String text) {
        super(text);
    }
}
