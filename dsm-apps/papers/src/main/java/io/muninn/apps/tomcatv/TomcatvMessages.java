package io.muninn.apps.tomcatv;

import io.muninn.api.DsmNode;
import io.muninn.apps.HaloRows;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;
import java.util.List;

/** TOMCATV with messages: systems are solved within a row, so only coordinates travel. */
final class TomcatvMessages {
    private TomcatvMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        HaloRows rows = HaloRows.inner(node, size);
        TomcatvMesh mesh = TomcatvMesh.filled(rows.count(), n, rows.first());
        double residual = Double.POSITIVE_INFINITY;
        for (int step = 0; step < size.steps(); step++) {
            residual = node.max(step(node, n, mesh, rows));
        }
        double[] coordinates =
                rows.collect(
                        () -> {
                            TomcatvMesh whole = TomcatvMesh.filled(n, n, 0);
                            return List.of(whole.x(), whole.y());
                        },
                        mesh.x(),
                        mesh.y());
        return SameBits.append(coordinates, residual);
    }

    private static double step(DsmNode node, int n, TomcatvMesh mesh, HaloRows rows) {
        int from = rows.local().from();
        int to = rows.local().to();
        double residual = 0;
        for (int row = from; row < to; row++) {
            residual = Math.max(residual, mesh.residual(row));
            node.work(TomcatvMesh.residualUnits(n));
        }
        for (int row = from; row < to; row++) {
            mesh.solve(row);
            node.work(TomcatvMesh.solveUnits(n));
        }
        for (int row = from; row < to; row++) {
            mesh.move(row);
            node.work(TomcatvMesh.moveUnits(n));
        }
        rows.exchange(mesh.x(), mesh.y());
        return residual;
    }
}
