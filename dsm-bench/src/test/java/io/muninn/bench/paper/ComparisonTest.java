package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which ratios are marked. */
class ComparisonTest {
    @ParameterizedTest
    @CsvSource({
        "1.51, true",
        "1.50, false",
        "1.00, false",
        "0.67, false",
        "0.66, true",
        "–, false"
    })
    void ratios_areMarkedBeyondTheLimitInBothDirections(String ratio, boolean isMarked) {
        assertEquals(isMarked, Comparison.isBeyond(ratio, 1.5));
    }

    @Test
    void markedRatios_areBoldInTheTableAndPlainInTheFile() {
        Comparison.Cell cell = new Comparison.Cell(OptionalDouble.of(2), OptionalDouble.of(1));
        Comparison table =
                new Comparison(
                        "Misses",
                        0,
                        List.of("ours"),
                        List.of(new Comparison.Row("ADI", List.of(cell))));

        assertTrue(table.markdown("## %s", 1.5).startsWith("## Misses\n\n"));
        assertTrue(table.markdown("## %s", 1.5).contains("| 2 | 1 | **2.00** |"));
        assertTrue(table.markdown("**%s**", 3).contains("| 2 | 1 | 2.00 |"));
        assertTrue(table.csv(false).endsWith(",2,1,2.00\n"));
    }
}
