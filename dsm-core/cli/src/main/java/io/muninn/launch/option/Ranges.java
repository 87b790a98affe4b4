package io.muninn.launch.option;

/** The range check of numbers that are given by options. */
public final class Ranges {
    private Ranges() {}

    /**
     * @throws IllegalArgumentException if the value is not within the range; the text is for the
     *     user
     */
    public static void require(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    option + " " + value + " is outside the range " + min + " to " + max);
        }
    }
}
