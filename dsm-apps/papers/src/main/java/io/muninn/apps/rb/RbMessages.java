package io.muninn.apps.rb;

import io.muninn.api.DsmNode;
import io.muninn.apps.HaloRows;
import io.muninn.apps.LoopSize;
import java.util.List;

/** RB with messages: after each colour the outermost rows of a band are sent to the neighbours. */
final class RbMessages {
    private RbMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        HaloRows rows = HaloRows.inner(node, size);
        RbGrid grid = RbGrid.filled(rows.count(), n, rows.first());
        for (int step = 0; step < size.steps(); step++) {
            relax(node, n, grid, rows, RbGrid.RED);
            relax(node, n, grid, rows, RbGrid.BLACK);
        }
        return rows.collect(() -> List.of(RbGrid.filled(n, n, 0).values()), grid.values());
    }

    private static void relax(DsmNode node, int n, RbGrid grid, HaloRows rows, int colour) {
        for (int row = rows.local().from(); row < rows.local().to(); row++) {
            grid.relax(row, colour);
            node.work(RbGrid.relaxUnits(n));
        }
        rows.exchange(grid.values());
    }
}
