package io.muninn.api;

/**
 * The outcome of a program's check of its own result.
 *
 * @param checked false when the program checks nothing
 * @param right true when the result was checked and is correct
 * @param detail one line for the user, may be empty
 */
public record Verdict(boolean checked, boolean right, String detail) {
    private static final Verdict UNCHECKED = new Verdict(false, false, "");

    /** The program checks nothing; the run counts as successful. */
    public static Verdict unchecked() {
        return UNCHECKED;
    }

    /** The result is correct. */
    public static Verdict right(String detail) {
        return new Verdict(true, true, detail);
    }

    /** The result is wrong; the run fails. */
    public static Verdict wrong(String detail) {
        return new Verdict(true, false, detail);
    }
}
