package io.muninn.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The rows that have a limit. Of the access loops only the one with the highest ratio is included.
 */
final class Summary {
    private Summary() {}

    static List<Row> rows(Results results) {
        List<Row> rows = new ArrayList<>();
        worstLoop(results).ifPresent(rows::add);
        for (Row row : results.rows()) {
            if (row.hasLimit() && !isLoop(row)) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static boolean isLoop(Row row) {
        return row.name().startsWith(AccessRuns.PREFIX);
    }

    private static Optional<Row> worstLoop(Results results) {
        return results.rows().stream()
                .filter(row -> isLoop(row) && row.isMet().isPresent())
                .max(Comparator.comparingDouble(row -> row.ratio().orElse(0)));
    }

    /** The verdict as text: "not measured" if the floor is missing. */
    static String verdict(Row row) {
        return row.isMet().map(met -> met ? "met" : "not met").orElse("not measured");
    }
}
