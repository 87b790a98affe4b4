package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The committed tables of a paper's results, of eight processors.
 *
 * @param folder of the tables
 */
record PublishedTables(Path folder) {
    /** Title, program, version, ours, the paper's and the ratio. */
    static final Pattern ROW =
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

    SortedMap<String, Double> ours(String file, String title, String version) throws IOException {
        return column(file, title, version, OURS);
    }
}
