package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SheetTest {
    private static final String MODEL = "munin-model.txt";

    @Test
    void sections_haveRowsOfCells() {
        Sheet sheet = Sheet.parse("s", "# why\n[one]\n a | 2 | x y \n\n[two]\n");

        Sheet.Row row = sheet.rows("one", 3).getFirst();
        assertEquals("a", row.text(0));
        assertEquals(2.0, row.number(1));
        assertEquals(List.of("x", "y"), row.words(2));
        assertEquals(List.of(), sheet.rows("two", 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "a | 1 ! s line 1: a row of no section",
                "[t];a ! s line 2: 1 cells, not 2",
                "[u];a | 1 ! s has no section t",
                "[t];a | b ! s line 2: 'b' is no number",
            })
    void malformedText_isRefusedWithItsLine(String text, String expected) {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                Sheet.parse("s", text.replace(';', '\n'))
                                        .rows("t", 2)
                                        .forEach(row -> row.number(1)));
        assertEquals(expected, refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1991", "today"})
    void modelsOfTheResource_areComplete(String name) {
        CostModel model = CostModel.read(Sheet.resource(MODEL), name);

        assertEquals(name, model.name());
        assertEquals(name.equals("1991"), model.isByProgram());
        assertEquals(name.equals("1991") ? 2 : 1, model.unitPages());
        assertTrue(model.rows().stream().noneMatch(row -> row.text(2).isEmpty()));
    }

    @Test
    void modelWithAnUnknownParameter_isRefused() {
        Sheet known = Sheet.resource(MODEL);
        StringBuilder text = new StringBuilder("[today]\ncolour | 3 | nowhere\n");
        for (Sheet.Row row : known.rows("today", 3)) {
            text.append(String.join("|", row.cells())).append('\n');
        }

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> CostModel.read(Sheet.parse("s", text.toString()), "today"));
        assertTrue(refused.getMessage().contains("unknown [colour]"), refused::getMessage);
    }

    @Test
    void everyProgram_hasARowInTheTables() {
        PaperValues values = new PaperValues(Sheet.resource("munin-values.txt"));

        for (PaperProgram program : PaperProgram.read(Sheet.resource(MODEL))) {
            for (String table : List.of("table-2", "table-3", "table-4")) {
                assertTrue(
                        values.of(table, program.row(), PaperVersion.MUNIN).isPresent(),
                        program.name() + " in " + table);
            }
        }
        assertEquals(OptionalDouble.of(14.7), values.of("table-2", "mult", PaperVersion.MESSAGES));
    }
}
