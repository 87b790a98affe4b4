package io.muninn.apps.jacobi;

import io.muninn.api.DsmNode;
import io.muninn.apps.HaloRows;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;
import java.util.List;

/** JACOBI with messages: a band for each thread, whose outermost rows go to its neighbours. */
final class JacobiMessages {
    private JacobiMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        HaloRows rows = HaloRows.inner(node, size);
        JacobiGrid grid = JacobiGrid.filled(rows.count(), n, rows.first());
        double change = Double.POSITIVE_INFINITY;
        for (int step = 0; step < size.steps() && change > JacobiGrid.CONVERGED; step++) {
            change = node.max(step(node, n, grid, rows));
        }
        double[] elements =
                rows.collect(() -> List.of(JacobiGrid.filled(n, n, 0).now()), grid.now());
        return SameBits.append(elements, change);
    }

    private static double step(DsmNode node, int n, JacobiGrid grid, HaloRows rows) {
        double change = Double.NEGATIVE_INFINITY;
        for (int row = rows.local().from(); row < rows.local().to(); row++) {
            grid.relax(row);
            node.work(JacobiGrid.relaxUnits(n));
        }
        for (int row = rows.local().from(); row < rows.local().to(); row++) {
            change = Math.max(change, grid.accept(row));
            node.work(JacobiGrid.acceptUnits(n));
        }
        rows.exchange(grid.now());
        return change;
    }
}
