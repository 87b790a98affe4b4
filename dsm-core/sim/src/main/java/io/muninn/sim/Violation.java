package io.muninn.sim;

/** A promise that did not hold in a simulation: a bug, found by the checker that it names. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String checker;

    /**
     * @param checker who found it, as in the table of checkers
     * @param text with node, page, value
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
