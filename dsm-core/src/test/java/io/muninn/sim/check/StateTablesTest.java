package io.muninn.sim.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables that runs are checked against are those of the Javadoc, and are read rightly. */
class StateTablesTest {
    private static final String MARGIN = " * ";

    @ParameterizedTest
    @CsvSource({
        "Conventional, protocols",
        "ReadOnly, protocols",
        "Migratory, protocols",
        "WriteShared, protocols",
        "LockManager, sync",
        "BarrierArrivals, sync"
    })
    void table_isThatOfTheJavadoc(String name, String folder) throws IOException {
        StateTable table =
                StateTables.ALL.stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();

        assertEquals(javadocTable(folder + "/" + name + ".java"), table.text().stripTrailing());
    }

    @Test
    void cells_areWhereOneSeesThem() {
        StateTable table = StateTables.WRITE_SHARED;
        int keep = table.cell("Fetching", table.column("Update"));
        int refuse = table.cell("Absent", table.column("Update"));
        int twin = table.cell("Idle", table.column("Update"));

        assertEquals("keep (1)", table.says(keep));
        assertTrue(table.isHandled(keep));
        assertTrue(table.isPossible(refuse) && !table.isHandled(refuse));
        assertFalse(table.isPossible(twin));
        assertEquals("Fetching × Update: keep (1)", table.describe(keep));
    }

    @Test
    void cellOfTwoLines_isOne() {
        StateTable table = StateTables.BARRIERS;

        assertEquals(
                "resume the oldest, as many as came (1)",
                table.says(table.cell("Whole", table.column("BarrierDepart"))));
    }

    /** Up to the footnotes. */
    private static String javadocTable(String file) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("src/main/java/io/muninn", file));
        int begin = lines.indexOf(MARGIN + "<pre>") + 1;
        int end = lines.indexOf(MARGIN + "</pre>");
        return lines.subList(begin, end).stream()
                .map(line -> line.length() > MARGIN.length() ? line.substring(3) : "")
                .takeWhile(line -> !line.startsWith("(1)"))
                .collect(Collectors.joining("\n"))
                .stripTrailing();
    }
}
