package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is drawn of stacked bars. Labels are drawn as curves, each in a group of its own. */
class StackedFigureTest {
    private static final List<PaperProgram> PROGRAMS =
            PaperProgram.read(Sheet.resource("mowry-model.txt"));
    private static final int VERSIONS = 8;

    @TempDir private Path folder;

    private static Comparison table(OptionalDouble length) {
        Comparison.Cell cell = new Comparison.Cell(length, OptionalDouble.empty());
        return new Comparison(
                "Time",
                0,
                List.of("busy"),
                PROGRAMS.stream()
                        .map(each -> new Comparison.Row(each.title(), List.of(cell)))
                        .toList());
    }

    /** Returns the SVG; empty if there is none. */
    private String draw(int versions, OptionalDouble length) throws Exception {
        SequencedMap<String, Comparison> tables = new LinkedHashMap<>();
        for (int i = 1; i <= versions; i++) {
            tables.put(i + "T", table(length));
        }
        PaperResults none =
                new PaperResults(PROGRAMS, List.of(8), Map.of(), new TreeMap<>(), List.of());
        StackedFigure figure =
                new StackedFigure(4, "threads", "per cent", List.of("busy", "stall"), _ -> tables);
        boolean isDrawn = figure.write(none, folder);
        Path file = folder.resolve("figure-4.svg");
        assertEquals(isDrawn, Files.exists(file));
        return isDrawn ? Files.readString(file) : "";
    }

    private static int labels(String svg) {
        return svg.split("<g transform=", -1).length - 1;
    }

    @Test
    void everyBar_hasALabel() throws Exception {
        int labels = labels(draw(VERSIONS, OptionalDouble.of(50)));

        assertTrue(labels > PROGRAMS.size() * VERSIONS, labels + " labels");
    }

    @Test
    void groups_haveAGapBetweenThem() throws Exception {
        int single = labels(draw(1, OptionalDouble.of(50)));
        int pairs = labels(draw(2, OptionalDouble.of(50)));

        assertEquals(2 * PROGRAMS.size(), pairs - single); // a bar more for each, and a gap
    }

    @Test
    void withoutALength_nothingIsDrawn() throws Exception {
        assertFalse(draw(VERSIONS, OptionalDouble.empty()).contains("svg"));
    }
}
