package io.muninn.apps.gauss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.Dsm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussKernelTest {
    /** The system after elimination by so many threads, one thread after the other. */
    private static DoubleMatrix eliminated(GaussSize size, int positions) {
        DoubleMatrix slots = size.local(size.columns());
        GaussKernel.fill(slots, size.stripe(0, positions));
        eliminate(size, slots, positions);
        return slots;
    }

    private static void eliminate(GaussSize size, DoubleMatrix slots, int positions) {
        DoubleArray pivots = DoubleArray.local(size.equations());
        Dsm.run(node -> {
            for (int step = 0; step < size.equations(); step++) {
                int slot = size.stripe(0, positions).slot(step);
                int row = GaussKernel.pivot(node, slots, slot, step, pivots);
                for (int position = 0; position < positions; position++) {
                    Stripe stripe = size.stripe(position, positions);
                    GaussKernel.eliminate(node, slots, stripe.first(), stripe, step, row, pivots);
                }
            }
        });
    }

    @Test
    void smallSystem_isSolvedWithTheLargerPivot() {
        GaussSize size = new GaussSize(2);
        DoubleMatrix slots = size.local(3); // 2x + 3y = 8, 4x + y = 6, a column each
        slots.copyFrom(0, new double[] {2, 4});
        slots.copyFrom(1, new double[] {3, 1});
        slots.copyFrom(2, new double[] {8, 6});

        eliminate(size, slots, 1);

        assertEquals(4, slots.get(0, 0), "rows are swapped");
        assertEquals(2.5, slots.get(1, 1));
        assertArrayEquals(new double[] {1, 2}, GaussKernel.solution(slots, size.stripe(0, 1)));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "7, 2", "20, 3", "20, 20", "20, 23", "64, 8"})
    void systemOfSeveralThreads_hasTheSequentialSolutionBitByBit(int equations, int positions) {
        GaussSize size = new GaussSize(equations);
        Stripe any = size.stripe(0, positions);
        double[] alone = GaussKernel.solution(eliminated(size, 1), size.stripe(0, 1));

        DoubleMatrix slots = eliminated(size, positions);

        assertArrayEquals(alone, GaussKernel.solution(slots, any), 0);
        assertTrue(GaussKernel.verify(slots, any).right());
        assertTrue(GaussKernel.residual(alone) < 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 5", "12, 4", "257, 4", "10, 3"})
    void stripes_coverAllColumnsOnceAndLieTogether(int columns, int positions) {
        List<Integer> slots = new ArrayList<>();
        Stripe any = new Stripe(0, positions, columns);
        for (int column = 0; column < columns; column++) {
            int slot = any.slot(column);
            slots.add(slot);
            for (int position = 0; position < positions; position++) {
                Stripe stripe = any.of(position);
                boolean isInside = stripe.first() <= slot && slot < stripe.end();
                assertEquals(stripe.contains(column), isInside, stripe + " column " + column);
                if (isInside) {
                    assertEquals(slot - stripe.first() + 1, stripe.upTo(column));
                }
            }
        }
        Collections.sort(slots);

        assertEquals(IntStream.range(0, columns).boxed().toList(), slots);
    }

    @Test
    void stripesOfTheUsualSize_endWherePagesEnd() {
        Stripe any = new GaussSize(256).stripe(0, 4);

        for (int position = 0; position < 4; position++) {
            assertEquals(0, any.of(position).first() * 256 * Double.BYTES % 4096);
        }
    }

    @Test
    void elementThatIsWrong_isFound() {
        GaussSize size = new GaussSize(30);
        Stripe any = size.stripe(0, 1);
        DoubleMatrix slots = eliminated(size, 1);
        DoubleMatrix none = eliminated(size, 1);
        assertTrue(GaussKernel.verify(slots, any).right());

        slots.set(17, 4, slots.get(17, 4) + 1e-6);
        none.set(17, 4, Double.NaN);

        assertFalse(GaussKernel.verify(slots, any).right());
        assertFalse(GaussKernel.verify(none, any).right());
    }
}
