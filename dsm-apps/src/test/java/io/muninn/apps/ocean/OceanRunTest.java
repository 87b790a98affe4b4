package io.muninn.apps.ocean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The flow beside what is known of it, and whether wrong flows are refused. */
class OceanRunTest {
    private static double[] run(int cells, int steps, double centre) {
        OceanSize size = new OceanSize(cells, steps, OceanSize.Layout.CONTIGUOUS);
        double[][] results = {{}};
        Dsm.run(
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {
                        results[0] = OceanRun.alone(size, new OceanCells(centre), node);
                    }
                });
        return results[0];
    }

    private static double[] run(int cells, int steps) {
        return run(cells, steps, OceanCells.CENTRE);
    }

    private static Verdict known(int cells, double[] results) {
        return OceanOracle.known(cells, results, "basin");
    }

    @ParameterizedTest
    @CsvSource({"4, 1", "8, 3", "16, 3", "64, 3", "32, 40"})
    void flow_isAsKnownOfIt(int cells, int steps) {
        Verdict verdict = known(cells, run(cells, steps));
        assertTrue(verdict.right(), verdict::detail);
    }

    /** The mean flow of the first step, in which only wind acts, has a closed form. */
    @Test
    void firstStep_isTheResponseToWind() {
        int n = 64;
        double[] results = run(n, 1);
        double worst = 0;
        double most = 0;
        for (int i = 0; i < n * n; i++) {
            double x = (i % n + 0.5) / n;
            double y = (i / n + 0.5) / n;
            double walls = Math.cosh(Math.PI * (x - 0.5)) / Math.cosh(Math.PI / 2);
            double curl = OceanBasin.WIND * OceanBasin.UPPER / OceanBasin.DEPTH;
            double length = OceanBasin.SIDE / Math.PI;
            double expected = curl * length * length * Math.sin(Math.PI * y) * (1 - walls);
            double upper = OceanBasin.UPPER * results[i];
            double lower = OceanBasin.LOWER * results[n * n + i];
            double value = (upper + lower) / OceanBasin.DEPTH / OceanBasin.TIME_STEP;
            worst = Math.max(worst, Math.abs(value - expected));
            most = Math.max(most, Math.abs(expected));
        }
        assertEquals(0, worst / most, 5e-3);
    }

    /** The mutated program agrees with itself, so only what is known of the flow can refuse it. */
    @ParameterizedTest
    @ValueSource(doubles = {3.999, 4.001})
    void mutatedStencil_isRefused(double centre) {
        Verdict verdict = known(64, run(64, 2, centre));
        assertFalse(verdict.right(), verdict::detail);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void anotherGrid_isRefused(int grid) {
        int n = 32;
        double[] results = run(n, 1);
        for (int i = 0; i < n * n; i++) {
            results[grid * n * n + i] *= 3;
        }
        Verdict verdict = known(n, results);
        assertFalse(verdict.right(), verdict::detail);
    }
}
