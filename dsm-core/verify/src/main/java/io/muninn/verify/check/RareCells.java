package io.muninn.verify.check;

import java.util.List;

/**
 * Cells of the state × event tables that few seeds meet, each with a seed that does. A search that
 * begins with these seeds meets them whatever its length.
 */
public final class RareCells {
    private static final String FILE = "rare-cells.txt";
    private static final String COMMENT = "#";

    /**
     * A line of the list.
     *
     * @param cell as {@link Coverage#neverHit} names it, without what is done there
     */
    record Line(long seed, String cell) {}

    private RareCells() {}

    /** Each of them once, in the order of the list. */
    public static List<Long> seeds() {
        return lines().stream().map(Line::seed).distinct().toList();
    }

    static List<Line> lines() {
        return StateTables.resource(FILE)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith(COMMENT))
                .map(RareCells::parse)
                .toList();
    }

    private static Line parse(String line) {
        String[] parts = line.split(" ", 2);
        return new Line(Long.parseLong(parts[0]), parts[1].strip());
    }
}
