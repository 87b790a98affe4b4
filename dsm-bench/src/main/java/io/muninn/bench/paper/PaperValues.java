package io.muninn.bench.paper;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What the paper's tables print, transcribed once. */
final class PaperValues {
    /** Program, version, value. */
    private static final int CELLS = 3;

    /** Nothing to compare with. */
    static final PaperValues NONE = new PaperValues(Sheet.parse("none", ""));

    private final Map<String, Double> values = new TreeMap<>();

    /**
     * @throws IllegalArgumentException if a row names no version of ours, or a value is given twice
     */
    PaperValues(Sheet sheet) {
        for (String table : sheet.sections().keySet()) {
            for (Sheet.Row row : sheet.rows(table, CELLS)) {
                Optional<PaperVersion> version = PaperVersion.named(row.text(1));
                if (version.isEmpty()) {
                    throw new IllegalArgumentException(row.where() + ": no version");
                }
                String key = key(table, row.text(0), version.get());
                if (values.put(key, row.number(2)) != null) {
                    throw new IllegalArgumentException(row.where() + ": given twice");
                }
            }
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** A table's value; empty if the paper prints none. */
    OptionalDouble of(String table, String program, PaperVersion version) {
        Double value = values.get(key(table, program, version));
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static String key(String table, String program, PaperVersion version) {
        return table + " " + program + " " + version.word();
    }
}
