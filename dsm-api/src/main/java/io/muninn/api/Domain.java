package io.muninn.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The indices of a parallel loop: all combinations of one, two or three ranges. They are in
 * row-major order: the last index changes first. A schedule divides them in this order, so a share
 * may begin and end within a row.
 *
 * <pre>{@code
 * final Loop<None, None> relax = Loop.each((row, column) -> relaxAt(row, column));
 *
 * team.forEach(Domain.of(new Band(1, rows - 1), new Band(1, columns - 1)), relax);
 * }</pre>
 *
 * <p><b>Positions.</b> The position of an index in a domain of one range is the index itself; in
 * others, positions count from 0 in row-major order.
 *
 * @param ranges of the first, of the second and of the third index
 */
public record Domain(List<Band> ranges) {
    private static final int RANK_MAX = 3;

    /**
     * Neighbouring indices of a domain that differ in the last index only.
     *
     * @param plane the first of three indices; 0 if there are fewer
     * @param row the last but one; 0 if there is one
     * @param columns the last index
     */
    public record Line(int plane, int row, Band columns) {}

    /**
     * @throws IllegalArgumentException unless there are one to three ranges, with 2^31 - 1 indices
     *     at most
     * @throws NullPointerException if one of them is null
     */
    public Domain {
        ranges.forEach(range -> Objects.requireNonNull(range, "the range of a loop is null"));
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty() || ranges.size() > RANK_MAX) {
            throw new IllegalArgumentException(
                    "domain of " + ranges.size() + " ranges, not 1 to " + RANK_MAX);
        }
        double size = 1;
        for (Band range : ranges) {
            size *= range.length();
        }
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "domain "
                            + text(ranges)
                            + " has more than "
                            + Integer.MAX_VALUE
                            + " indices: loop over its first index, and over the others in the"
                            + " body");
        }
    }

    /** The indices of one range. */
    public static Domain of(Band range) {
        return new Domain(Collections.singletonList(range));
    }

    /** Pairs of indices. */
    public static Domain of(Band rows, Band columns) {
        return new Domain(List.of(rows, columns));
    }

    /** Triples of indices. */
    public static Domain of(Band planes, Band rows, Band columns) {
        return new Domain(List.of(planes, rows, columns));
    }

    /** Number of ranges, 1 to 3. */
    public int rank() {
        return ranges.size();
    }

    /** Positions of all indices, see above. */
    public Band range() {
        if (rank() == 1) {
            return ranges.getFirst();
        }
        int size = 1;
        for (Band range : ranges) {
            size *= range.length();
        }
        return new Band(0, size);
    }

    /**
     * The indices at these positions, as lines in row-major order.
     *
     * @param positions within {@link #range}
     */
    public List<Line> lines(Band positions) {
        if (rank() == 1) {
            return List.of(new Line(0, 0, positions));
        }
        List<Line> lines = new ArrayList<>();
        Band columns = columns();
        int at = positions.from();
        while (at < positions.to()) {
            int inLine = at % columns.length();
            int count = Math.min(columns.length() - inLine, positions.to() - at);
            int first = columns.from() + inLine;
            lines.add(line(at / columns.length(), new Band(first, first + count)));
            at += count;
        }
        return lines;
    }

    /** A line of a domain of two or three ranges. */
    private Line line(int number, Band columns) {
        Band rows = ranges.get(rank() - 2);
        int plane = rank() == 2 ? 0 : ranges.getFirst().from() + number / rows.length();
        return new Line(plane, rows.from() + number % rows.length(), columns);
    }

    /** The position of the index with this last one. */
    int position(Line line, int column) {
        if (rank() == 1) {
            return column;
        }
        Band rows = ranges.get(rank() - 2);
        int plane = rank() == 2 ? 0 : line.plane() - ranges.getFirst().from();
        int number = plane * rows.length() + line.row() - rows.from();
        return number * columns().length() + column - columns().from();
    }

    private Band columns() {
        return ranges.getLast();
    }

    /** The index at a position, as messages name it: {@code 7}, or {@code (3, 4)}. */
    public String index(int position) {
        if (rank() == 1 || !range().contains(position)) {
            return Integer.toString(position);
        }
        Line line = lines(new Band(position, position + 1)).getFirst();
        String last = line.row() + ", " + line.columns().from() + ")";
        return rank() == 2 ? "(" + last : "(" + line.plane() + ", " + last;
    }

    /** As messages name it: {@code 0 to 8}, or {@code 0 to 8 by 1 to 5}. */
    @Override
    public String toString() {
        return text(ranges);
    }

    private static String text(List<Band> ranges) {
        return ranges.stream()
                .map(range -> range.from() + " to " + range.to())
                .collect(Collectors.joining(" by "));
    }
}
