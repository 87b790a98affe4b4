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

    /** Results agree with {@link RbWave}, and have the bits of the sequential ones. */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        double[] first = SameBits.of(RbGrid.filled(size.size(), size.size(), 0).values());
        Verdict wave = RbWave.verify(size, first, results);
        return wave.right() ? SameBits.verdict(size.ofGrid(), results, solve(size, root)) : wave;
    }
}
