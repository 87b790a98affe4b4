package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the paper on nodes of several processors prints, against itself, and the costs that follow
 * from it.
 */
class HlrcModelTest {
    private static final Sheet SHEET = Sheet.resource("hlrc-model.txt");
    private static final PaperValues VALUES = new PaperValues(Sheet.resource("hlrc-values.txt"));
    private static final double CYCLES_PER_SECOND = 2e8;

    /** In points; OCEAN under HLRC-4 is the farthest. */
    private static final double EFFICIENCY_TOLERANCE = 3.2;

    /** The programs of Tables 4 and 5. */
    private static final List<String> BROKEN_DOWN =
            List.of(
                    "fft-20",
                    "lu-512",
                    "ocean-514",
                    "barnes-rebuild-16k",
                    "radix",
                    "volrend",
                    "water-nsq",
                    "water-sp");

    /** By table: its versions, and the cells that they have. */
    private static final Map<String, Integer> CELLS =
            Map.of(
                    "table-1",
                    4 * 30 + 10,
                    "table-2",
                    52,
                    "table-3",
                    52,
                    "table-4",
                    13 * 16,
                    "table-5",
                    13 * 16);

    /** A version of a program with a column in Table 4 or 5. */
    private record Column(String table, String program, PaperVersion base, PaperVersion changed) {
        private double value(String quantity, PaperVersion version) {
            return VALUES.of(table + " " + quantity, program, version).orElseThrow();
        }

        double base(String quantity) {
            return value(quantity, base);
        }

        double changed(String quantity) {
            return value(quantity, base) + value(quantity, changed);
        }

        /** Cycles of a processor that compute, from fetches, their time and their share. */
        double computation() {
            double waited = base("fetches") * base("fetch-cycles");
            return waited / base("data") * base("compute");
        }
    }

    private static Stream<Column> columns() {
        return BROKEN_DOWN.stream()
                .flatMap(program ->
                        Stream.of(
                                new Column(
                                        "table-4",
                                        program,
                                        PaperVersion.AURC_1,
                                        PaperVersion.AURC_4),
                                new Column(
                                        "table-5",
                                        program,
                                        PaperVersion.HLRC_1,
                                        PaperVersion.HLRC_4)));
    }

    @Test
    void everyCellOfTheTablesIsThere() {
        Sheet sheet = Sheet.resource("hlrc-values.txt");
        CELLS.forEach((table, cells) ->
                assertEquals(
                        cells,
                        sheet.sections().entrySet().stream()
                                .filter(section -> section.getKey().startsWith(table))
                                .mapToInt(section -> section.getValue().size())
                                .sum(),
                        table));
    }

    /** Section 7: handlers run while threads wait, so the parts without them make the time. */
    @ParameterizedTest
    @MethodSource("columns")
    void partsGiveTheEfficiencyOfTable3(Column column) {
        assertEquals(
                VALUES.of("table-3 efficiency", column.program(), column.base()).orElseThrow(),
                efficiency(column::base),
                EFFICIENCY_TOLERANCE);
        assertEquals(
                VALUES.of("table-3 efficiency", column.program(), column.changed()).orElseThrow(),
                efficiency(column::changed),
                EFFICIENCY_TOLERANCE);
    }

    private static double efficiency(ToDoubleFunction<String> part) {
        double useful = part.applyAsDouble("compute") + part.applyAsDouble("stall");
        double waited = Stream.of("io", "barriers", "locks", "data").mapToDouble(part).sum();
        return 100 * useful / (useful + waited);
    }

    @ParameterizedTest
    @MethodSource("columns")
    void waitsArePartsOfWhatTheyAreIn(Column column) {
        assertTrue(column.base("barrier-wait") <= column.base("barriers"));
        assertTrue(column.changed("barrier-wait") <= column.changed("barriers"));
        assertTrue(column.base("lock-wait") <= column.base("locks"));
        assertTrue(column.changed("fetches") >= 0 && column.changed("remote-locks") >= 0);
    }

    @Test
    void sequentialSeconds_areTheComputationOfTables4And5() {
        Map<String, Double> seconds =
                PaperProgram.read(SHEET).stream()
                        .collect(
                                Collectors.toMap(
                                        PaperProgram::name, PaperProgram::sequentialSeconds));
        for (String program : BROKEN_DOWN) {
            double cycles =
                    columns()
                            .filter(column -> column.program().equals(program))
                            .mapToDouble(Column::computation)
                            .average()
                            .orElseThrow();
            double expected = Hlrc.PROCESSORS * cycles / CYCLES_PER_SECOND;
            assertEquals(expected, seconds.get(program), 0.005 * expected, program);
        }
        assertEquals(seconds.get("fft-20") * 18 / 20 / 4, seconds.get("fft-18"), 0.001);
        assertEquals(seconds.get("ocean-514") / 4, seconds.get("ocean-258"), 0.005);
        assertEquals(
                seconds.get("barnes-rebuild-16k") * 13 / 14 / 2,
                seconds.get("barnes-rebuild-8k"),
                0.02);
    }

    @Test
    void models_areThereAndSayWhereTheyAreFrom() {
        for (String name : new Hlrc().models()) {
            CostModel model = CostModel.read(SHEET, name);
            assertTrue(model.rows().stream().noneMatch(row -> row.text(2).isEmpty()), name);
        }
    }

    /** Figure 8: sections with fetches take longer, and so do barriers with notices. */
    @Test
    void synchronizationCostsMoreWithPages() {
        SyncCosts costs = new SyncCosts(CostModel.read(SHEET, "smp-1998"));

        double fetchMicros = 75; // section 5
        assertTrue(costs.lockMicros(4, 4) > costs.lockMicros(4, 0) + 3 * 4 * fetchMicros / 2);
        assertTrue(costs.lockMicros(8, 1) > costs.lockMicros(4, 1));
        assertTrue(costs.barrierMicros(8, 64) > costs.barrierMicros(8, 0));
        assertTrue(costs.barrierMicros(8, 0) > costs.barrierMicros(2, 0));
    }

    /** All programs of the paper, and each row of its tables is one of them. */
    @Test
    void programs_areThoseOfTable2() {
        List<PaperProgram> programs = PaperProgram.read(SHEET);

        assertEquals(14, programs.size());
        long rows =
                programs.stream()
                        .filter(program ->
                                VALUES.of("table-2 speedup", program.row(), PaperVersion.HLRC_1)
                                        .isPresent())
                        .count();
        assertEquals(13, rows);
    }
}
