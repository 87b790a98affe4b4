package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The committed tables of a paper's results, of eight processors.
 *
 * @param folder of the tables
 */
record PublishedTables(Path folder) {
    /** Title, program, version, ours, the paper's and the ratio. */
    private static final Pattern ROW =
            Pattern.compile("\"([^\"]*)\",\"([^\"]*)\",\"([^\"]*)\",([^,]*),([^,]*),(.*)");

    static final int OURS = 4;
    static final int PAPER = 5;
    static final int RATIO = 6;

    /** Returns a column of a table, by program; without empty cells. */
    SortedMap<String, Double> column(String file, String title, String version, int of)
            throws IOException {
        SortedMap<String, Double> column = new TreeMap<>();
        for (String line : Files.readAllLines(folder.resolve(file))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()
                    && row.group(1).equals(title + " (8 processors)")
                    && row.group(3).equals(version)
                    && !row.group(of).isEmpty()) {
                column.put(row.group(2), Double.parseDouble(row.group(of)));
            }
        }
        assertTrue(!column.isEmpty(), file + ": " + title + ", " + version);
        return column;
    }

    /**
     * Compares the marked ratios of the tables with the rows of the README beside them: table,
     * title, programs or {@code all}, and cause.
     *
     * @param limit beyond which ratios are marked
     * @return rows that are missing, without their causes, and rows of programs without a marked
     *     ratio; empty if there are none
     */
    String unexplained(double limit) throws IOException {
        SortedMap<String, SortedSet<String>> marked = marked(limit);
        assertFalse(marked.isEmpty(), "no ratio is marked");
        SortedMap<String, SortedSet<String>> missing = new TreeMap<>();
        marked.forEach((title, programs) -> missing.put(title, new TreeSet<>(programs)));
        StringBuilder wrong = new StringBuilder();
        for (String[] row : explanations()) {
            String title = row[0] + " | " + row[1];
            SortedSet<String> known = marked.getOrDefault(title, new TreeSet<>());
            Set<String> programs =
                    row[2].equals("all") && !known.isEmpty() ? known : Set.of(row[2].split(", "));
            missing.getOrDefault(title, new TreeSet<>()).removeAll(programs);
            if (!known.containsAll(programs)) {
                wrong.append("not marked: | ").append(String.join(" | ", row)).append(" |\n");
            }
        }
        missing.values().removeIf(Set::isEmpty);
        missing.forEach((title, programs) -> {
            wrong.append("| ").append(title).append(" | ").append(String.join(", ", programs));
            wrong.append(" |  |\n");
        });
        return wrong.toString();
    }

    /** The programs of marked ratios, by table and title. */
    private SortedMap<String, SortedSet<String>> marked(double limit) throws IOException {
        SortedMap<String, SortedSet<String>> marked = new TreeMap<>();
        for (Path file : files()) {
            for (String line : Files.readAllLines(file)) {
                Matcher row = ROW.matcher(line);
                if (row.matches() && Comparison.isBeyond(row.group(RATIO), limit)) {
                    String title = row.group(1).replaceAll("(;.*)? \\(8 processors\\)$", "");
                    marked.computeIfAbsent(table(file) + " | " + title, _ -> new TreeSet<>())
                            .add(row.group(2));
                }
            }
        }
        return marked;
    }

    /** Rows of the README about one of the tables that have a cause. */
    private List<String[]> explanations() throws IOException {
        Set<String> tables = new TreeSet<>();
        files().forEach(file -> tables.add(table(file)));
        return Files.readAllLines(folder.resolve("README.md")).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| "))
                .filter(row -> row.length == 4 && tables.contains(row[0]) && !row[3].isBlank())
                .toList();
    }

    /** All files that are of tables, and not of single runs or claims. */
    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.toString().endsWith(".csv"))
                    .filter(each -> !each.endsWith("runs.csv"))
                    .filter(each -> !each.endsWith("sensitivity.csv"))
                    .sorted()
                    .toList();
        }
    }

    /** The title of a file's table. */
    private static String table(Path file) {
        String stem = file.getFileName().toString().replace(".csv", "").replace('-', ' ');
        return stem.substring(0, 1).toUpperCase(Locale.ROOT) + stem.substring(1);
    }

    SortedMap<String, Double> ours(String file, String title, String version) throws IOException {
        return column(file, title, version, OURS);
    }
}
