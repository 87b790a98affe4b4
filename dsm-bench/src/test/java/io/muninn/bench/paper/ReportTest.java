package io.muninn.bench.paper;

import static io.muninn.bench.paper.SimulatedTimes.Sharing.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables and figures of made-up runs. */
class ReportTest {
    private static final Sheet SHEET = Sheet.resource("munin-model.txt");

    @TempDir private Path folder;

    @Test
    void tables_haveOursThePapersAndTheRatio() throws Exception {
        write();

        String table = Files.readString(folder.resolve("table-2.md"));
        String row = "| MULT | 10.0 | 14.7 | 0.68 | 5.0 | 14.6 | 0.34 | – | 14.5 | – |";
        assertTrue(table.contains(row), table);
        String csv = Files.readString(folder.resolve("table-4.csv"));
        assertTrue(csv.contains("(16 processors)\",\"MULT\",\"Munin\",2,1384,0.00\n"), csv);
        String runs = Files.readString(folder.resolve("runs.csv"));
        assertTrue(runs.contains("\nmult,munin,16,5.000,2.000,7,9,2048,"), runs);
    }

    @Test
    void figures_areWellFormedAndOthersAreNamed() throws Exception {
        write();

        assertEquals(
                "svg",
                DocumentBuilderFactory.newDefaultNSInstance()
                        .newDocumentBuilder()
                        .parse(withoutDocumentType("figure-10.svg"))
                        .getDocumentElement()
                        .getLocalName());
        assertFalse(Files.exists(folder.resolve("figure-11.svg")));
        String page = Files.readString(folder.resolve("results.md"));
        assertTrue(page.contains("![Figure 10](figure-10.svg)"), page);
        assertTrue(page.contains("11 (Finite Differencing (DIFF))"), page);
        assertTrue(page.contains("* it broke"), page);
    }

    /** The parser would ask the network for it. */
    private InputStream withoutDocumentType(String file) throws Exception {
        String text = Files.readString(folder.resolve(file)).replaceAll("<!DOCTYPE[^>]*>", "");
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static SimulatedTimes times(double seconds) {
        return new SimulatedTimes(
                seconds,
                7,
                9,
                2048,
                3,
                0,
                0,
                0,
                0,
                0,
                0,
                NONE,
                SimulatedTimes.Hiding.NONE,
                SimulatedTimes.Clustering.NONE);
    }

    private void write() throws Exception {
        PaperProgram mult = PaperProgram.read(SHEET).getFirst();
        SimulatedTimes slow = times(2);
        SimulatedTimes fast = times(1);
        Map<RunKey, SimulatedTimes> runs =
                Map.of(
                        new RunKey("mult", PaperVersion.MUNIN, 16), slow,
                        new RunKey("mult", PaperVersion.MESSAGES, 16), fast);
        PaperResults results =
                new PaperResults(
                        List.of(mult),
                        List.of(16),
                        Map.of("mult", 10.0),
                        new TreeMap<>(runs),
                        List.of("it broke"));
        CostModel model = CostModel.read(SHEET, "1991");
        PaperValues values = new PaperValues(Sheet.resource("munin-values.txt"));
        new Report(new Munin(), model, results, values, false).write(folder, "");
    }
}
