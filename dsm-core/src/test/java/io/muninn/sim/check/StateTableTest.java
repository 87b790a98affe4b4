package io.muninn.sim.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables that runs are checked against say what the Javadoc of the classes says. */
class StateTableTest {
    private static final String COLUMNS = " {2,}";
    private static final String FOOTNOTE = " ?\\(\\d\\),?";

    @ParameterizedTest
    @CsvSource({
        "conventional, protocols/Conventional.java",
        "read-only, protocols/ReadOnly.java",
        "migratory, protocols/Migratory.java",
        "write-shared, protocols/WriteShared.java",
        "locks, sync/LockManager.java"
    })
    void table_saysWhatTheJavadocSays(String name, String file) throws IOException {
        StateTable table =
                StateTable.all().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        Map<String, String> written = cells(table, file);

        List<String> differences = new ArrayList<>();
        for (String state : table.states()) {
            for (String event : table.events()) {
                String cell = state + " × " + event;
                String text = written.getOrDefault(cell, "impossible");
                if (!fits(table.mark(state, event), text)) {
                    differences.add(cell + ": " + text + ", not " + table.mark(state, event));
                }
            }
        }

        assertEquals(List.of(), differences);
        assertTrue(written.size() >= table.handled().size(), written.size() + " cells read");
    }

    @ParameterizedTest
    @CsvSource({"CONVENTIONAL, 34", "READ_ONLY, 11", "MIGRATORY, 8", "WRITE_SHARED, 24"})
    void handledCells_areAsManyAsOneCounts(Protocol protocol, int handled) {
        assertEquals(handled, StateTable.of(protocol).handled().size());
    }

    private static boolean fits(StateTable.Mark mark, String text) {
        return switch (mark) {
            case IMPOSSIBLE -> text.equals("impossible");
            case NOTHING -> text.equals("–") || text.equals("ignore");
            case HANDLED, WAITING ->
                    !text.equals("impossible") && !text.equals("–") && !text.equals("ignore");
        };
    }

    /** The cells of the table in a class's Javadoc, by state and event. */
    private static Map<String, String> cells(StateTable table, String file) throws IOException {
        Map<String, String> cells = new TreeMap<>();
        List<String> events = List.of();
        for (String line : javadocTable(file)) {
            Optional<String> state =
                    table.states().stream()
                            .filter(each -> line.matches(each + "( {2,}| \\(|  ?taken).*"))
                            .reduce((one, other) -> one.length() > other.length() ? one : other);
            if (state.isPresent()) {
                String[] texts =
                        line.substring(state.get().length())
                                .replaceAll(FOOTNOTE, "   ")
                                .strip()
                                .split(COLUMNS);
                for (int i = 0; i < Math.min(texts.length, events.size()); i++) {
                    cells.put(state.get() + " × " + events.get(i), texts[i].strip());
                }
            } else if (line.startsWith(" ") && isHeading(table, line)) {
                events = List.of(line.replaceAll(FOOTNOTE, "").strip().split(COLUMNS));
            }
        }
        return cells;
    }

    private static boolean isHeading(StateTable table, String line) {
        return table.events().stream().anyMatch(line::contains);
    }

    private static List<String> javadocTable(String file) throws IOException {
        List<String> lines =
                Files.readAllLines(Path.of("src/main/java/io/muninn", file)).stream().toList();
        int begin = lines.indexOf(" * <pre>") + 1;
        int end = lines.indexOf(" * </pre>");
        return lines.subList(begin, end).stream()
                .map(line -> line.length() > 3 ? line.substring(3) : "")
                .takeWhile(line -> !line.startsWith("(1)"))
                .toList();
    }
}
