package io.muninn.api.service;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.Reduction;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Combines the values of the parts of a loop, in order of index.
 *
 * @param loop as messages name it
 * @param domain of the loop
 */
record LoopResult<T>(String loop, Domain domain, Reduction<T> reduction) {
    /** Longest text of a value, in characters. */
    private static final int TEXT_MAX = 80;

    /**
     * @param parts in order, one at least
     * @throws IllegalStateException if they are arrays of different lengths, or if the operator of
     *     the program throws; names the parts and their values
     */
    T of(List<Contribution> parts) {
        Contribution first = parts.getFirst();
        for (int i = 1; i < parts.size(); i++) {
            if (!first.fits(parts.get(i))) {
                throw differ(first.text(), i, parts.get(i).text(), parts.size());
            }
        }
        List<T> values = reduction.values(Round.result(parts));
        T combined = values.getFirst();
        for (int i = 1; i < values.size(); i++) {
            combined = combined(combined, values, i);
        }
        return combined;
    }

    /**
     * The combined value of all parts before each part, encoded, by number; none for the first.
     *
     * @param parts in order, whose values are numbers
     */
    static SortedMap<Integer, byte[]> before(List<Contribution> parts) {
        SortedMap<Integer, byte[]> before = new TreeMap<>();
        Contribution sum = parts.getFirst();
        for (int i = 1; i < parts.size(); i++) {
            before.put(i, sum.encode());
            sum = Contribution.combined(List.of(sum, parts.get(i)));
        }
        return before;
    }

    /** Combines the result so far with the value of the next part. */
    private T combined(T before, List<T> values, int part) {
        T next = values.get(part);
        int expected = length(values.getFirst()); // the operator may return another array
        if (length(next) != expected) {
            throw differ(ofLength(expected), part, ofLength(length(next)), values.size());
        }
        String left = text(before); // which the operator may change
        try {
            return reduction.combined(before, next);
        } catch (RuntimeException thrown) {
            Band range = domain.range();
            int to = part(range, part - 1, values.size()).to();
            throw new IllegalStateException(
                    "the operator of "
                            + loop
                            + ", "
                            + reduction
                            + ", threw "
                            + thrown
                            + ", for the values "
                            + left
                            + " of indices "
                            + text(domain, new Band(range.from(), to))
                            + " and "
                            + text(next)
                            + " of indices "
                            + text(domain, part(range, part, values.size()))
                            + "; it has to combine any two values that the body returns",
                    thrown);
        }
    }

    private String ofLength(int length) {
        return reduction.toString().replace("[]", "[" + length + "]");
    }

    private IllegalStateException differ(String first, int part, String other, int parts) {
        return new IllegalStateException(
                loop
                        + " returns a "
                        + first
                        + " for indices "
                        + text(domain, part(domain.range(), 0, parts))
                        + ", and a "
                        + other
                        + " for indices "
                        + text(domain, part(domain.range(), part, parts))
                        + "; the arrays of all parts have the same length. Put arrays of different"
                        + " lengths into a record");
    }

    /** The length of an array; -1 for anything else. */
    private static int length(Object value) {
        return value != null && value.getClass().isArray() ? Array.getLength(value) : -1;
    }

    private static String text(Object value) {
        String text =
                switch (value) {
                    case null -> "null";
                    case int[] ints -> Arrays.toString(ints);
                    case long[] longs -> Arrays.toString(longs);
                    case float[] floats -> Arrays.toString(floats);
                    case double[] doubles -> Arrays.toString(doubles);
                    default -> value.toString();
                };
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
    }

    /** Indices as messages name them. */
    static String text(Domain domain, Band positions) {
        return domain.rank() == 1 || positions.isEmpty()
                ? positions.from() + " to " + positions.to()
                : domain.index(positions.from()) + " up to " + domain.index(positions.to() - 1);
    }

    /** Part {@code part} of a range that is divided into {@code parts} parts. */
    static Band part(Band range, int part, int parts) {
        Band band = Band.of(range.length(), part, parts);
        return new Band(range.from() + band.from(), range.from() + band.to());
    }
}
