package io.muninn.apps.rb;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;

/** RB on one thread. */
final class RbSequential {
    private RbSequential() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        RbGrid grid = RbGrid.filled(n, n, 0);
        for (int step = 0; step < size.steps(); step++) {
            for (int row = 1; row < n - 1; row++) {
                grid.relax(row, RbGrid.RED);
                node.work(RbGrid.relaxUnits(n));
            }
            for (int row = 1; row < n - 1; row++) {
                grid.relax(row, RbGrid.BLACK);
                node.work(RbGrid.relaxUnits(n));
            }
        }
        return SameBits.of(grid.values());
    }

    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return SameBits.verdict(size.ofGrid(), results, solve(size, root));
    }
}
