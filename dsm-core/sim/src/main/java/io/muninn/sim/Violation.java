package io.muninn.sim;

/** A broken invariant in a simulation: a bug, found by the checker that it names. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String checker;

    /**
     * @param checker name of the checker, as in the table of checkers
     * @param text description, with node, page and value
     */
    public Violation(String checker, String text) {
        super(checker + ": " + text);
        this.checker = checker;
    }

    public Violation(String checker, String text, Throwable cause) {
        super(checker + ": " + text, cause);
        this.checker = checker;
    }

    public String checker() {
        return checker;
    }
}
