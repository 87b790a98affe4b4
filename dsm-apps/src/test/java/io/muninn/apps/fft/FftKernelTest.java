package io.muninn.apps.fft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.Dsm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FftKernelTest {
    private static final int LARGE = 2 * FftOracle.DIRECT_MAX;

    /** All points after the passes of so many threads, one thread after the other. */
    private static DoubleMatrix transformed(int length, int positions) {
        FftSize size = new FftSize(length);
        DoubleMatrix points = size.local();
        FftKernel.fill(points);
        Dsm.run(node -> {
            for (int position = 0; position < positions; position++) {
                FftShare share = size.share(position, positions);
                FftKernel.transform(node, points, share.interleaved(), share.widestBefore());
            }
            for (int position = positions - 1; position >= 0; position--) {
                FftShare share = size.share(position, positions);
                FftKernel.transform(node, points, share.contiguous(), share.widestAfter());
            }
        });
        return points;
    }

    private static double[] input(int length) {
        double[] input = new double[2 * length];
        for (int i = 0; i < input.length; i++) {
            input[i] = FftKernel.input(i / 2, i % 2);
        }
        return input;
    }

    @Test
    void butterfly_isSumAndDifferenceWithTheTurnedPoint() {
        DoubleMatrix points = FftKernel.local(3);
        points.copyFrom(0, new double[] {1, 2});
        points.copyFrom(2, new double[] {10, 20});

        FftKernel.butterfly(points, 0, 2, -Math.PI / 2);

        assertEquals(1 + 20, points.get(0, 0), 1e-14);
        assertEquals(2 - 10, points.get(0, 1), 1e-14);
        assertEquals(1 - 20, points.get(2, 0), 1e-14);
        assertEquals(2 + 10, points.get(2, 1), 1e-14);
        assertEquals(0, points.get(1, 0));
    }

    @Test
    void angles_areHalvedAtEveryPass() {
        assertEquals(0, FftKernel.angle(0), 0);
        assertEquals(-Math.PI / 2, FftKernel.angle(1), 0);
        assertEquals(-Math.PI / 4, FftKernel.angle(2), 0);
        assertEquals(-3 * Math.PI / 4, FftKernel.angle(3), 0);
        assertEquals(-Math.PI / 8, FftKernel.angle(4), 0);
    }

    @Test
    void waveOfOneFrequency_isOneElement() {
        int length = 16;
        int frequency = 3;
        FftSize size = new FftSize(length);
        DoubleMatrix points = size.local();
        for (int i = 0; i < length; i++) {
            double angle = 2 * Math.PI * frequency * i / length;
            points.copyFrom(i, new double[] {Math.cos(angle), Math.sin(angle)});
        }

        FftShare all = size.share(0, 1);
        Dsm.run(node -> FftKernel.transform(node, points, all.interleaved(), all.widestBefore()));

        double[] spectrum = FftKernel.inOrder(points);
        for (int i = 0; i < spectrum.length; i++) {
            assertEquals(i == 2 * frequency ? length : 0, spectrum[i], 1e-13, "element " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "4, 2", "8, 2", "16, 4", "512, 8", "1024, 32"})
    void transformOfSeveralThreads_isTheDirectOneAndTheSequentialOneBitByBit(
            int length, int positions) {
        double[] spectrum = FftKernel.inOrder(transformed(length, positions));

        assertArrayEquals(FftOracle.direct(input(length)), spectrum, 1e-11);
        assertArrayEquals(FftKernel.inOrder(transformed(length, 1)), spectrum, 0);
        assertTrue(FftOracle.verify(transformed(length, positions)).right());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void bothDistributions_coverAllPointsOnce(int positions) {
        FftSize size = new FftSize(64);
        List<Integer> interleaved = new ArrayList<>();
        List<Integer> contiguous = new ArrayList<>();
        for (int position = 0; position < positions; position++) {
            FftShare share = size.share(position, positions);
            for (int k = 0; k < share.length(); k++) {
                interleaved.add(share.interleaved().row(k));
                contiguous.add(share.contiguous().row(k));
                assertEquals(position, share.interleaved().row(k) % positions);
            }
            assertEquals(share.end(), share.contiguous().row(share.length() - 1) + 1);
        }
        List<Integer> all = IntStream.range(0, 64).boxed().toList();
        Collections.sort(interleaved);

        assertEquals(all, interleaved);
        assertEquals(all, contiguous);
    }

    @Test
    void largeTransform_isJudgedByEnergyAndInverse() {
        DoubleMatrix points = transformed(LARGE, 4);
        assertTrue(FftOracle.verify(points).right(), () -> FftOracle.verify(points).detail());

        double[] input = input(LARGE);
        double[] back = FftOracle.inverse(FftKernel.inOrder(points));
        for (int i = 0; i < back.length; i++) {
            back[i] /= LARGE;
        }
        assertArrayEquals(input, back, 1e-13);
    }

    @Test
    void elementOfASmallTransformThatIsWrong_isFoundAndNamed() {
        DoubleMatrix points = transformed(8, 2);
        points.set(1, 1, points.get(1, 1) + 1e-9); // index 1 is frequency 4

        String detail = FftOracle.verify(points).detail();

        assertFalse(FftOracle.verify(points).right());
        assertTrue(detail.startsWith("imaginary part of frequency 4 is "), detail);
    }

    @Test
    void elementOfALargeTransformThatIsWrong_isFoundByItsEnergyOrTheInverse() {
        DoubleMatrix lost = transformed(LARGE, 2);
        lost.set(5, 0, lost.get(5, 0) + 1e-3);
        DoubleMatrix swapped = transformed(LARGE, 2);
        double first = swapped.get(6, 0);
        swapped.set(6, 0, swapped.get(7, 0));
        swapped.set(7, 0, first);
        DoubleMatrix none = transformed(LARGE, 2);
        none.set(0, 0, Double.NaN);

        assertTrue(FftOracle.verify(lost).detail().startsWith("energy"));
        assertTrue(FftOracle.verify(swapped).detail().startsWith("inverse transform"));
        assertFalse(FftOracle.verify(none).right());
    }

    @Test
    void threadsThatCannotShareTheWork_areRefused() {
        FftSize size = new FftSize(64);

        assertEquals(
                "runs on a power of two of threads (nodes times threads), not on 6",
                assertThrows(IllegalArgumentException.class, () -> size.checkPositions(6))
                        .getMessage());
        assertEquals(
                "64 points are too few for 16 threads, each of which needs at least 16",
                assertThrows(IllegalArgumentException.class, () -> size.share(0, 16)).getMessage());
    }
}
