package io.muninn.apps.expl;

import io.muninn.api.DsmNode;
import io.muninn.apps.HaloRows;
import io.muninn.apps.LoopSize;
import java.util.List;

/** EXPL with messages: forces go up by a row, coordinates in both directions. */
final class ExplMessages {
    private ExplMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        HaloRows rows = HaloRows.inner(node, size);
        ExplGrid grid = ExplGrid.filled(rows.count(), n, rows.first());
        for (int step = 0; step < size.steps(); step++) {
            step(node, n, grid, rows);
        }
        return rows.collect(
                () -> {
                    ExplGrid whole = ExplGrid.filled(n, n, 0);
                    return List.of(whole.r(), whole.z(), whole.u(), whole.v());
                },
                grid.r(),
                grid.z(),
                grid.u(),
                grid.v());
    }

    private static void step(DsmNode node, int n, ExplGrid grid, HaloRows rows) {
        int from = rows.local().from();
        int to = rows.local().to();
        for (int row = from; row < to; row++) {
            grid.push(row);
            node.work(ExplGrid.pushUnits(n));
        }
        rows.exchangeBelow(grid.b());
        for (int row = from; row < to; row++) {
            grid.accelerate(row);
            node.work(ExplGrid.accelerateUnits(n));
        }
        for (int row = from; row < to; row++) {
            grid.move(row);
            node.work(ExplGrid.moveUnits(n));
        }
        rows.exchange(grid.r(), grid.z());
    }
}
