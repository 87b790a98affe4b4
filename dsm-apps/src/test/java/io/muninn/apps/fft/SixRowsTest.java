package io.muninn.apps.fft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transform in six steps, beside the sums that define it. */
class SixRowsTest {
    /** What one thread computes. */
    private static double[] transform(int points) {
        double[][] result = {{}};
        Dsm.run(
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {
                        result[0] = SixSequential.transform(new SixRows(points), node);
                    }
                });
        return result[0];
    }

    private static double[] input(int points) {
        double[] input = new double[2 * points];
        for (int i = 0; i < input.length; i++) {
            input[i] = FftKernel.input(i / 2, i % 2);
        }
        return input;
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64, 256, 1024})
    void transform_isTheDirectOne(int points) {
        assertArrayEquals(FftOracle.direct(input(points)), transform(points), 1e-11);
    }

    @Test
    void largeTransform_isJudgedByItsInverse() {
        double[] spectrum = transform(4096);
        assertEquals(
                "transform of 4096 points agrees with Parseval, and its inverse with the input",
                FftOracle.verify(spectrum).detail());

        double first = spectrum[0];
        spectrum[0] = spectrum[2];
        spectrum[2] = first;
        assertFalse(FftOracle.verify(spectrum).right());
    }

    @Test
    void row_isTransformed() {
        double[] impulse = new double[8];
        impulse[2] = 1;

        new SixRows(16).transform(impulse);

        assertArrayEquals(new double[] {1, 0, 0, -1, -1, 0, 0, 1}, impulse, 1e-15);
    }

    @Test
    void bands_areAllRows() {
        SixRows rows = new SixRows(64);
        assertEquals(8, rows.side());
        assertTrue(rows.band(11, 12).to() == 8 && rows.band(0, 12).isEmpty());
    }
}
