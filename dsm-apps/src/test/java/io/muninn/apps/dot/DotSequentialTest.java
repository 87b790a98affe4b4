package io.muninn.apps.dot;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Schedule;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** Which products DOT accepts. */
class DotSequentialTest {
    private static final int N = 1000;
    private static final LoopSize SIZE = new LoopSize(N, 2, Schedule.BLOCK);

    private static double exact() {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < N; i++) {
            BigDecimal x = new BigDecimal(DotVectors.xAt(i));
            sum = sum.add(x.multiply(new BigDecimal(DotVectors.zAt(i))));
        }
        return sum.doubleValue();
    }

    private static Verdict verdict(double first, double second) {
        return DotSequential.verify(SIZE, new double[] {first, second});
    }

    @Test
    void exactProduct_isRight() {
        Verdict verdict = verdict(exact(), exact());

        assertTrue(verdict.right(), verdict.detail());
    }

    @Test
    void productThatNoOrderGives_isWrong() {
        double absolute = 0;
        for (int i = 0; i < N; i++) {
            absolute += Math.abs(DotVectors.xAt(i) * DotVectors.zAt(i));
        }
        double most = (N + 1) * 0x1p-53 * absolute;
        double inside = exact() + 0.9 * most;
        double outside = exact() + 1.1 * most;

        assertTrue(verdict(inside, inside).right());
        assertFalse(verdict(outside, outside).right());
        assertFalse(verdict(Double.NaN, Double.NaN).right());
    }

    @Test
    void productsOfTwoStepsThatDiffer_areWrong() {
        assertFalse(verdict(exact(), Math.nextUp(exact())).right());
    }
}
