package io.muninn.bench.paper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A resource of rows, in sections: numbers from a paper, each with its source.
 *
 * <pre>
 * # a comment
 * [section]
 * cell | cell | cell
 * </pre>
 *
 * @param name of the resource, for messages
 * @param sections rows in order, by section, in order
 */
record Sheet(String name, Map<String, List<Row>> sections) {
    /**
     * One row.
     *
     * @param where resource and line, for messages
     * @param cells without the blanks around them
     */
    record Row(String where, List<String> cells) {
        Row {
            cells = List.copyOf(cells);
        }

        String text(int cell) {
            return cells.get(cell);
        }

        /**
         * @throws IllegalArgumentException if the cell is no number, with its line
         */
        double number(int cell) {
            try {
                return Double.parseDouble(text(cell));
            } catch (NumberFormatException cause) {
                throw new IllegalArgumentException(
                        where + ": '" + text(cell) + "' is no number", cause);
            }
        }

        /** The words of a cell; none of an empty one. */
        List<String> words(int cell) {
            return Arrays.stream(text(cell).split(" ")).filter(word -> !word.isEmpty()).toList();
        }
    }

    /** Reads a resource of this package. */
    static Sheet resource(String name) {
        try (InputStream in = Sheet.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * @throws IllegalArgumentException if a row stands before the first section, with its line
     */
    static Sheet parse(String name, String text) {
        Map<String, List<Row>> sections = new LinkedHashMap<>();
        List<Row> current = null;
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            number++;
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String where = name + " line " + number;
            if (line.startsWith("[") && line.endsWith("]")) {
                current = new ArrayList<>();
                sections.put(line.substring(1, line.length() - 1), current);
            } else if (current == null) {
                throw new IllegalArgumentException(where + ": a row of no section");
            } else {
                List<String> cells =
                        Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
                current.add(new Row(where, cells));
            }
        }
        return new Sheet(name, sections);
    }

    /**
     * The rows of a section.
     *
     * @throws IllegalArgumentException if there is no such section, or a row has another number of
     *     cells
     */
    List<Row> rows(String section, int cells) {
        List<Row> rows = sections.get(section);
        if (rows == null) {
            throw new IllegalArgumentException(name + " has no section " + section);
        }
        for (Row row : rows) {
            if (row.cells().size() != cells) {
                throw new IllegalArgumentException(
                        row.where() + ": " + row.cells().size() + " cells, not " + cells);
            }
        }
        return rows;
    }
}
