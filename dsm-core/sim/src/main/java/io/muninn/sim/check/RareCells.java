package io.muninn.sim.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
        try (InputStream in = RareCells.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + FILE + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith(COMMENT))
                    .map(RareCells::parse)
                    .toList();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static Line parse(String line) {
        String[] parts = line.split(" ", 2);
        return new Line(Long.parseLong(parts[0]), parts[1].strip());
    }
}
