package io.muninn.apps.adi;

import io.muninn.api.DsmNode;
import io.muninn.apps.HaloRows;
import io.muninn.apps.LoopSize;
import java.util.List;

/** ADI with messages: a part of the grid for each thread, whose ends go to its neighbours. */
final class AdiMessages {
    private AdiMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        HaloRows rows = HaloRows.inner(node, size);
        AdiGrid now = AdiGrid.filled(rows.count(), rows.first());
        AdiGrid next = AdiGrid.filled(rows.count(), rows.first());
        for (int step = 0; step < size.steps(); step++) {
            for (int row = rows.local().from(); row < rows.local().to(); row++) {
                now.advance(row, next);
            }
            node.work(rows.local().length() * AdiGrid.ROW_UNITS);
            rows.exchange(next.u1(), next.u2(), next.u3());
            AdiGrid old = now;
            now = next;
            next = old;
        }
        return rows.collect(
                () -> {
                    AdiGrid whole = AdiGrid.filled(size.size(), 0);
                    return List.of(whole.u1(), whole.u2(), whole.u3());
                },
                now.u1(),
                now.u2(),
                now.u3());
    }
}
