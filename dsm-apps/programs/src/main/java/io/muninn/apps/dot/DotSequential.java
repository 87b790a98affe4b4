package io.muninn.apps.dot;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import java.util.Locale;

/** DOT on one thread. */
final class DotSequential {
    /** Half the distance from 1 to the next double. */
    private static final double ROUNDING = 0x1p-53;

    private DotSequential() {}

    /** The product of each step. */
    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        DotVectors vectors = new DotVectors(DoubleArray.local(n), DoubleArray.local(n));
        for (int i = 0; i < n; i++) {
            vectors.fill(i);
        }
        double[] products = new double[size.steps()];
        for (int step = 0; step < size.steps(); step++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += vectors.product(i);
            }
            node.work(n);
            products[step] = sum;
        }
        return products;
    }

    /**
     * The rounding of the sum depends on its division among threads. So the sum is compared with
     * the sum in twice the precision, with a bound that holds for every order: n roundings of the
     * sum of absolute values. The products of all steps have the same bits, unless threads combine
     * values in varying order.
     *
     * <p>Source: Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1; the sum:
     * Ogita, Rump and Oishi, "Accurate Sum and Dot Product", 2005, algorithm 5.3.
     */
    static Verdict verify(LoopSize size, double[] products) {
        double sum = 0;
        double lost = 0;
        double absolute = 0;
        for (int i = 0; i < size.size(); i++) {
            double x = DotVectors.xAt(i);
            double z = DotVectors.zAt(i);
            double product = x * z;
            double next = sum + product;
            double added = next - sum;
            lost += (sum - (next - added)) + (product - added) + Math.fma(x, z, -product);
            absolute += Math.abs(product);
            sum = next;
        }
        double expected = sum + lost;
        double tolerance = (size.size() + 1) * ROUNDING * absolute;
        for (double product : products) {
            boolean isSame =
                    size.isLocked()
                            || Double.doubleToLongBits(product)
                                    == Double.doubleToLongBits(products[0]);
            if (!isSame || !(Math.abs(product - expected) <= tolerance)) {
                return Verdict.wrong(
                        String.format(
                                Locale.ROOT,
                                "product is %s, not %s, of the first step %s",
                                product,
                                expected,
                                products[0]));
            }
        }
        String bits =
                products.length == 0
                        ? "was not asked for"
                        : String.format(
                                Locale.ROOT,
                                "has bits %016x, at most %.1e from the exact one",
                                Double.doubleToLongBits(products[0]),
                                tolerance);
        return Verdict.right(
                String.format(Locale.ROOT, "inner product of %d elements %s", size.size(), bits));
    }
}
