package io.muninn.apps.jacobi;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;

/** JACOBI on one thread. */
final class JacobiSequential {
    private JacobiSequential() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        JacobiGrid grid = JacobiGrid.local(n, n, 0);
        for (int row = 0; row < n; row++) {
            grid.fill(row);
        }
        double change = Double.POSITIVE_INFINITY;
        for (int step = 0; step < size.steps() && change > JacobiGrid.CONVERGED; step++) {
            for (int row = 1; row < n - 1; row++) {
                grid.relax(row);
                node.work(JacobiGrid.relaxUnits(n));
            }
            change = 0;
            for (int row = 1; row < n - 1; row++) {
                change = Math.max(change, grid.accept(row));
                node.work(JacobiGrid.acceptUnits(n));
            }
        }
        return SameBits.append(SameBits.of(grid.now()), change);
    }

    /**
     * @param results all elements, and the last change
     */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return SameBits.verdict(size.ofGrid(), results, solve(size, root));
    }
}
