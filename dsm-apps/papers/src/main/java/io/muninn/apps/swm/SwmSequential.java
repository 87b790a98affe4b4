package io.muninn.apps.swm;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;
import java.util.Arrays;
import java.util.Locale;

/** SWM on one thread. */
final class SwmSequential {
    /** By how much rounding may change the mass of all water, as a part of it. */
    private static final double ROUNDING = 1e-9;

    private SwmSequential() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        SwmGrid grid = SwmGrid.filled(n, n, 0);
        double before = 0;
        for (int row = 0; row < n; row++) {
            before += grid.weight(row);
        }
        for (int step = 0; step < size.steps(); step++) {
            for (int row = 0; row < n; row++) {
                grid.flow((row + n - 1) % n, row, (row + 1) % n);
                node.work(SwmGrid.flowUnits(n));
            }
            for (int row = 0; row < n; row++) {
                grid.advance((row + n - 1) % n, row, (row + 1) % n, SwmGrid.seconds(step));
                node.work(SwmGrid.advanceUnits(n));
            }
            for (int row = 0; row < n; row++) {
                grid.shift(row);
                node.work(SwmGrid.shiftUnits(n));
            }
        }
        double after = 0;
        for (int row = 0; row < n; row++) {
            after += grid.weight(row);
        }
        return SameBits.append(SameBits.of(grid.u(), grid.v(), grid.p()), before, after);
    }

    /**
     * Water is neither made nor lost; fields agree with {@link SwmEquations}, and have the bits of
     * the sequential ones. How a sum is rounded depends on its parts.
     *
     * @param results all fields, and the mass at the beginning and at the end
     */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        int fields = results.length - 2;
        double before = results[fields];
        double lost = Math.abs(results[fields + 1] - before) / before;
        if (!(lost <= ROUNDING)) {
            return Verdict.wrong(String.format(Locale.ROOT, "mass changed by %.1e of it", lost));
        }
        Verdict equations = SwmEquations.verify(size, results);
        if (!equations.right()) {
            return equations;
        }
        double[] expected = Arrays.copyOf(solve(size, root), fields);
        return SameBits.verdict(size.ofGrid(), Arrays.copyOf(results, fields), expected);
    }
}
