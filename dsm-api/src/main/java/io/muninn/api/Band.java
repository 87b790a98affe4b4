package io.muninn.api;

/**
 * A contiguous share of rows, or the indices of a loop. A band whose end is not above its start is
 * empty, as for {@link java.util.stream.IntStream#range}: {@code new Band(5, 4)} equals {@code new
 * Band(5, 5)}. Rows count from 0: a band that contains a negative row is refused, and an empty one
 * that starts below 0 starts at 0.
 *
 * @param from first row, from 0
 * @param to one past the last row, at least {@code from}
 */
public record Band(int from, int to) {
    /**
     * @throws IllegalArgumentException if the band contains a negative row, naming both ends
     */
    public Band {
        if (from < 0 && from < to) {
            throw new IllegalArgumentException(
                    "band from " + from + " to " + to + ": rows and indices count from 0");
        }
        from = Math.max(0, from);
        to = Math.max(from, to);
    }

    /**
     * Returns share {@code position} of {@code total} rows divided into {@code positions} shares.
     * The shares of positions 0, 1, 2, … follow one another without gap or overlap, and their
     * lengths differ by at most one; if there are more positions than rows, some shares are empty.
     *
     * @throws IllegalArgumentException if {@code total} is negative or {@code position} is outside
     *     0 to {@code positions} - 1
     */
    public static Band of(int total, int position, int positions) {
        if (total < 0 || position < 0 || position >= positions) {
            throw new IllegalArgumentException(
                    "share " + position + " of " + positions + " of " + total + " rows");
        }
        return new Band(
                (int) ((long) total * position / positions),
                (int) ((long) total * (position + 1L) / positions));
    }

    /** Rows in this band, 0 or more. */
    public int length() {
        return to - from;
    }

    /** True if the band contains no row. */
    public boolean isEmpty() {
        return from == to;
    }

    /** True if {@code row} is in this band. */
    public boolean contains(int row) {
        return from <= row && row < to;
    }
}
