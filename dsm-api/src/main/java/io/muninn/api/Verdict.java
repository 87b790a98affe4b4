package io.muninn.api;

/**
 * What a program found when it checked its own result.
 *
 * @param checked false when the program checks nothing
 * @param right true when the result was checked and is right
 * @param detail one line for the user, may be empty
 */
public record Verdict(boolean checked, boolean right, String detail) {
    private static final Verdict UNCHECKED = new Verdict(false, false, "");

    /** The program checks nothing; the run counts as good. */
    public static Verdict unchecked() {
        return UNCHECKED;
    }

    /** The result is as it should be. */
    public static Verdict right(String detail) {
        return new Verdict(true, true, detail);
    }

    /** The result is wrong; the run fails. */
    public static Verdict wrong(String detail) {
        return new Verdict(true, false, detail);
    }
}
