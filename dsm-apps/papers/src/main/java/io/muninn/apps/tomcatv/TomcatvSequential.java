package io.muninn.apps.tomcatv;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;

/** TOMCATV on one thread. */
final class TomcatvSequential {
    private TomcatvSequential() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        TomcatvMesh mesh = TomcatvMesh.filled(n, n, 0);
        double residual = Double.POSITIVE_INFINITY;
        for (int step = 0; step < size.steps(); step++) {
            residual = 0;
            for (int row = 1; row < n - 1; row++) {
                residual = Math.max(residual, mesh.residual(row));
                node.work(TomcatvMesh.residualUnits(n));
            }
            for (int row = 1; row < n - 1; row++) {
                mesh.solve(row);
                node.work(TomcatvMesh.solveUnits(n));
            }
            for (int row = 1; row < n - 1; row++) {
                mesh.move(row);
                node.work(TomcatvMesh.moveUnits(n));
            }
        }
        return SameBits.append(SameBits.of(mesh.x(), mesh.y()), residual);
    }

    /**
     * Coordinates agree with {@link TomcatvEquations}, and results have the bits of the sequential
     * ones.
     *
     * @param results all coordinates, and the largest residual of the last step
     */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        Verdict equations = TomcatvEquations.verify(size, results);
        return equations.right()
                ? SameBits.verdict(size.ofGrid(), results, solve(size, root))
                : equations;
    }
}
