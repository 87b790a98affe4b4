package io.muninn.verify.check;

import java.util.List;

/**
 * Cells of the state × event tables that few seeds hit, each with a seed that hits it. A search
 * that begins with these seeds hits all of them.
 */
public final class RareCells {
    private static final String FILE = "rare-cells.txt";
    private static final String COMMENT = "#";

    /**
     * An entry of the list.
     *
     * @param cell the cell in the format of {@link Coverage#neverHit}, without its action
     */
    record Line(long seed, String cell) {}

    private RareCells() {}

    /** The seeds without duplicates, in the order of the list. */
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
