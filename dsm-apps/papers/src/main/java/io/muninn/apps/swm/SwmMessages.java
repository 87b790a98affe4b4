package io.muninn.apps.swm;

import io.muninn.api.DsmNode;
import io.muninn.apps.HaloRows;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;
import java.util.List;

/** SWM with messages: a band for each thread, and the rows around it, in a ring. */
final class SwmMessages {
    private SwmMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        HaloRows rows = HaloRows.wrapping(node, size);
        SwmGrid grid = SwmGrid.filled(rows.count(), n, rows.first());
        double before = node.sum(weight(grid, rows));
        for (int step = 0; step < size.steps(); step++) {
            step(node, n, grid, rows, SwmGrid.seconds(step));
        }
        double after = node.sum(weight(grid, rows));
        double[] fields =
                rows.collect(
                        () -> {
                            SwmGrid whole = SwmGrid.filled(n, n, 0);
                            return List.of(whole.u(), whole.v(), whole.p());
                        },
                        grid.u(),
                        grid.v(),
                        grid.p());
        return SameBits.append(fields, before, after);
    }

    private static void step(DsmNode node, int n, SwmGrid grid, HaloRows rows, double seconds) {
        int from = rows.local().from();
        int to = rows.local().to();
        for (int row = from; row < to; row++) {
            grid.flow(row - 1, row, row + 1);
            node.work(SwmGrid.flowUnits(n));
        }
        rows.exchangeAbove(grid.massU(), grid.height());
        rows.exchangeBelow(grid.massV(), grid.vorticity());
        for (int row = from; row < to; row++) {
            grid.advance(row - 1, row, row + 1, seconds);
            node.work(SwmGrid.advanceUnits(n));
        }
        for (int row = from; row < to; row++) {
            grid.shift(row);
            node.work(SwmGrid.shiftUnits(n));
        }
        rows.exchangeAbove(grid.u(), grid.p());
        rows.exchangeBelow(grid.v());
    }

    private static double weight(SwmGrid grid, HaloRows rows) {
        double sum = 0;
        for (int row = rows.local().from(); row < rows.local().to(); row++) {
            sum += grid.weight(row);
        }
        return sum;
    }
}
