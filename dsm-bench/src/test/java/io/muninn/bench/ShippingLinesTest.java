package io.muninn.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippingLinesTest {
    @TempDir private Path folder;

    private static ShippingLines lines(double[] ship, double[] data) {
        List<Measured> all = new ArrayList<>();
        int bytes = 16;
        for (int i = 0; i < ship.length; i++) {
            all.add(new Measured("ship-" + bytes + "-2", ship[i], ship[i], 9, 0, 0));
            all.add(new Measured("data-" + bytes + "-2", data[i], data[i], 9, 0, 0));
            bytes *= 16;
        }
        Results results = new Results(new MeasuredMachine("p", 2, "s", "j", "c"), false);
        results.add(Placement.ONE_CPU, all, List.of());
        List<ShippingLines> found = ShippingLines.of(results.rows());
        assertEquals(1, found.size());
        return found.getFirst();
    }

    @Test
    void linesThatCross_doSoBetweenTheTwoSizes() {
        ShippingLines lines = lines(new double[] {100, 200}, new double[] {200, 100});

        assertEquals(64, lines.crossing().orElseThrow(), 1e-9); // half-way from 16 to 256
        assertEquals("ship the function below 64.0 bytes, ship the data above", lines.answer());
    }

    @Test
    void linesThatDoNotCross_haveOneAnswer() {
        assertEquals(
                OptionalDouble.empty(),
                lines(new double[] {100, 200}, new double[] {90, 100}).crossing());
        assertEquals(
                "ship the data, whatever the size",
                lines(new double[] {100, 200}, new double[] {90, 100}).answer());
        assertEquals(
                "ship the function, whatever the size",
                lines(new double[] {10, 20}, new double[] {90, 100}).answer());
    }

    @Test
    void plot_isWritten() throws IOException {
        lines(new double[] {100_000, 200_000}, new double[] {200_000, 100_000}).write(folder);

        assertTrue(Files.readString(folder.resolve("shipping-2-one-cpu.svg")).contains("<svg"));
    }
}
