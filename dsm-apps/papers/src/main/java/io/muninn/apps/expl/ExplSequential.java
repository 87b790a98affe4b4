package io.muninn.apps.expl;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;

/** EXPL on one thread. */
final class ExplSequential {
    private ExplSequential() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        ExplGrid grid = ExplGrid.filled(n, n, 0);
        for (int step = 0; step < size.steps(); step++) {
            for (int row = 1; row < n - 1; row++) {
                grid.push(row);
                node.work(ExplGrid.pushUnits(n));
            }
            for (int row = 1; row < n - 1; row++) {
                grid.accelerate(row);
                node.work(ExplGrid.accelerateUnits(n));
            }
            for (int row = 1; row < n - 1; row++) {
                grid.move(row);
                node.work(ExplGrid.moveUnits(n));
            }
        }
        return SameBits.of(grid.r(), grid.z(), grid.u(), grid.v());
    }

    /** Results agree with {@link ExplFaces}, and have the bits of the sequential ones. */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        Verdict faces = ExplFaces.verify(size, results);
        return faces.right() ? SameBits.verdict(size.ofGrid(), results, solve(size, root)) : faces;
    }
}
