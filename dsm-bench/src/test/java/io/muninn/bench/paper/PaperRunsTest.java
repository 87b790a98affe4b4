package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.BuiltInProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The papers' tables and figures at small sizes, and that two runs are equal. */
@Timeout(300)
class PaperRunsTest {
    @TempDir private Path folder;

    @Tag("slow")
    @Test
    void munin_givesTheSameFilesWhateverTheSchedule() throws Exception {
        List<Path> files = runTwice(new Munin(), List.of(), List.of(1, 4), "1991 ");

        assertTrue(files.contains(Path.of("table-2.csv")), files::toString);
        assertTrue(files.contains(Path.of("today", "figure-11.svg")), files::toString);
    }

    @Test
    void cvm_givesTheSameFilesWhateverTheSchedule() throws Exception {
        List<String> programs = List.of("adi", "dot", "rb", "rb-small");
        List<Path> files = runTwice(new Cvm(), programs, List.of(8), "sp2 ");

        assertTrue(files.contains(Path.of("table-4.csv")), files::toString);
        assertTrue(files.contains(Path.of("figure-3.svg")), files::toString);
        assertTrue(files.contains(Path.of("alpha", "figure-2.svg")), files::toString);
        assertTrue(files.contains(Path.of("rack", "table-2.md")), files::toString);
        assertFalse(files.contains(Path.of("rack", "table-3.md")), files::toString);
        String page = Files.readString(folder.resolve("one").resolve("results.md"));
        String link = "* [Table 2](table-2.md)\n  * [Invalidations (8 processors)](table-2.md#inv";
        assertTrue(page.contains(link), page);
        String tables = Files.readString(folder.resolve("one").resolve("table-2.md"));
        assertTrue(tables.contains("| 1828 | **0."), tables); // ADI's messages without flush
        String figure = Files.readString(folder.resolve("one").resolve("figure-1.md"));
        assertTrue(figure.contains("| RB, small |"), figure);
        assertTrue(value("table-4.csv", "Messages of flushes", "RB", "with flush") > 0, tables);
        assertTrue(value("table-3.csv", "Messages of locks", "DOT", "reductions under a lock") > 0);
        assertEquals(0, value("table-3.csv", "Messages of locks", "DOT", "without flush"));
        assertTrue(
                value("advice.csv", "Misses", "ADI", "with flush, by advice")
                        < value("advice.csv", "Misses", "ADI", "with flush"),
                tables);
        assertSpeedupsArePossible(folder.resolve("one").resolve("runs.csv"));
        String others = Files.readString(folder.resolve("one/rack/table-2.md"));
        assertFalse(others.contains("1828"), others); // the paper's tables are of the SP-2 alone
        assertTrue(Files.readString(folder.resolve("one/alpha/figure-2.md")).contains("| 7.20 | "));
        assertLargerPagesAreRun();
        assertResultsAreNotCounted(folder.resolve("one").resolve("runs.csv"));
    }

    /** Pages that are larger cause no more misses of ADI. */
    private void assertLargerPagesAreRun() throws IOException {
        String title = "Misses, without flush";
        long aligned = value("pages.csv", title, "ADI", "without flush, pages of 8 KB");

        assertTrue(aligned <= value("pages.csv", title, "ADI", "without flush"));
    }

    /**
     * With messages ADI exchanges rows of two neighbours in each of two steps. Two barriers at the
     * ends of the run are as many messages again. Bands that only go to the root would be more.
     */
    private static void assertResultsAreNotCounted(Path runs) throws IOException {
        long exchanged = 2 * 2 * 7;
        long messages =
                Files.readAllLines(runs).stream()
                        .filter(line -> line.startsWith("adi,mp,8,"))
                        .mapToLong(line -> Long.parseLong(line.split(",")[5]))
                        .findFirst()
                        .orElseThrow();

        assertEquals(exchanged + 2 * 2 * 7, messages);
    }

    @Tag("slow")
    @Test
    void mowry_givesTheSameFilesWhateverTheSchedule() throws Exception {
        List<String> programs = List.of("sor");
        List<Path> files = runTwice(new Mowry(), programs, List.of("atm"), List.of(2), "atm ");

        assertTrue(files.contains(Path.of("figure-5.svg")), files::toString);
        assertTrue(files.contains(Path.of("table-2.csv")), files::toString);
        assertTrue(files.contains(Path.of("figure-3.svg")), files::toString);
        String page = Files.readString(folder.resolve("one").resolve("results.md"));
        assertTrue(page.contains("* [Claims](claims.md): "), page);
        assertFalse(page.contains("sensitivity"), page); // one setting alone is run
        String times = Files.readString(folder.resolve("one").resolve("figure-1.md"));
        assertTrue(times.contains(" 100.0 |\n"), times); // the parts of a bar make the bar
        assertTrue(times.contains("![Figure 1](figure-1.svg)"), times);
        String fates = Files.readString(folder.resolve("one").resolve("table-1.csv"));
        assertTrue(fates.contains("(2 processors)\",\"SOR\",\"P\",95."), fates); // its coverage
    }

    @Tag("slow") // cvm and mowry show the same of the command
    @Test
    void hlrc_givesTheSameFilesWhateverTheSchedule() throws Exception {
        List<String> programs = List.of("water-sp");
        List<Path> files = runTwice(new Hlrc(), programs, List.of(), List.of(16), "smp-1998 ");

        assertTrue(files.contains(Path.of("figure-9.svg")), files::toString);
        assertFalse(
                files.contains(Path.of("figure-11.svg")), files::toString); // of another program
        assertTrue(files.contains(Path.of("smp-rack", "sharing.md")), files::toString);
        String page = Files.readString(folder.resolve("one").resolve("results.md"));
        assertTrue(page.contains("| 7.41 | "), page);
        assertTrue(page.contains("| Water-spatial gains by nodes of four, HLRC | +36 % | "), page);
        String others = Files.readString(folder.resolve("one/smp-rack/results.md"));
        assertFalse(
                others.contains("7.41"), others); // the paper's tables are of its machines alone
        assertProcessorsAreUsedEquallyLong(folder.resolve("one").resolve("figure-17.csv"));
    }

    /** The parts of a processor's time add up to the time of the run, for each processor. */
    private static void assertProcessorsAreUsedEquallyLong(Path figure) throws IOException {
        Map<String, Double> times = new TreeMap<>();
        List<String> lines = Files.readAllLines(figure);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            times.merge(cells[0], Double.parseDouble(cells[2]), Double::sum);
        }
        assertTrue(times.size() >= 2 * Hlrc.PROCESSORS, times::toString);
        times.forEach((processor, time) -> {
            String version = processor.substring(0, processor.lastIndexOf(' '));
            assertEquals(times.get(version + " 0"), time, 0.01, processor);
        });
    }

    /** Of eight processors. Others would say that the work of a program was counted wrong. */
    private static void assertSpeedupsArePossible(Path runs) throws IOException {
        List<String> lines = Files.readAllLines(runs);
        for (String line : lines.subList(1, lines.size())) {
            double speedup = Double.parseDouble(line.split(",")[3]);
            assertTrue(speedup > 0.01 && speedup < 8, line);
        }
    }

    /** Of ours, on the machines of the tables. */
    private long value(String file, String title, String program, String version)
            throws IOException {
        String row = "\"%s (8 processors)\",\"%s\",\"%s\",".formatted(title, program, version);
        return Files.readAllLines(folder.resolve("one").resolve(file)).stream()
                .filter(line -> line.startsWith(row))
                .map(line -> Long.parseLong(line.substring(row.length()).split(",")[0]))
                .findFirst()
                .orElseThrow();
    }

    private List<Path> runTwice(
            Publication paper, List<String> programs, List<Integer> nodes, String said)
            throws Exception {
        return runTwice(paper, programs, List.of(), nodes, said);
    }

    private List<Path> runTwice(
            Publication paper,
            List<String> programs,
            List<String> models,
            List<Integer> nodes,
            String said)
            throws Exception {
        String progress = run(paper, programs, models, nodes, "one", 1);
        run(paper, programs, models, nodes, "two", 2);

        assertTrue(progress.contains(said), progress);
        List<Path> files = files("one");
        assertEquals(files, files("two"));
        for (Path file : files) {
            assertTrue(
                    Arrays.equals(
                            Files.readAllBytes(folder.resolve("one").resolve(file)),
                            Files.readAllBytes(folder.resolve("two").resolve(file))),
                    file::toString);
        }
        return files;
    }

    @ParameterizedTest
    @ValueSource(strings = {"cvm", "hlrc", "mowry", "munin"})
    void everySize_isPossible(String paper) {
        SortedMap<String, BuiltInProgram> installed = installed();
        for (PaperProgram program : PaperProgram.read(Sheet.resource(paper + "-model.txt"))) {
            BuiltInProgram builtIn = installed.get(program.program());
            assertDoesNotThrow(() -> builtIn.create(program.options()), program.name());
            assertDoesNotThrow(() -> builtIn.create(program.quickOptions()), program.name());
        }
    }

    @Test
    void unknownNames_areRefused() {
        assertRefused("unknown program 'nothing'", List.of("nothing"), List.of());
        assertRefused("unknown model '1990' (known: 1991, today)", List.of(), List.of("1990"));
    }

    private static void assertRefused(String text, List<String> programs, List<String> models) {
        PaperRequest request = new PaperRequest(programs, List.of(1), models, true, 1);
        IllegalArgumentException refusal =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new PaperRuns(new Munin(), request, Collections.emptySortedMap()));
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }

    private static SortedMap<String, BuiltInProgram> installed() {
        SortedMap<String, BuiltInProgram> installed = new TreeMap<>();
        ServiceLoader.load(BuiltInProgram.class).forEach(each -> installed.put(each.name(), each));
        return installed;
    }

    private String run(
            Publication of,
            List<String> programs,
            List<String> models,
            List<Integer> nodes,
            String name,
            int jobs)
            throws Exception {
        PaperRequest request = new PaperRequest(programs, nodes, models, true, jobs);
        PaperRuns paper = new PaperRuns(of, request, installed());
        StringWriter progress = new StringWriter();
        List<String> failures = paper.simulate(folder.resolve(name), new PrintWriter(progress));
        assertEquals(List.of(), failures);
        return progress.toString();
    }

    private List<Path> files(String name) throws IOException {
        Path root = folder.resolve(name);
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
        }
    }
}
