package io.muninn.apps.tomcatv;

import static io.muninn.api.None.NONE;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.ReducingLoops;
import io.muninn.apps.SameBits;

/** TOMCATV as parallel loops. */
final class TomcatvLoops extends ReducingLoops {
    @Shared(Protocol.LAZY)
    private final DoubleMatrix x;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix y;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix residualX;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix residualY;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix side;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix diagonal;

    private final Loop<None, None> fill;
    private final Loop<None, Double> residual;
    private final Loop<None, None> solve;
    private final Loop<None, None> move;

    private final LoopSize size;
    private double largest = Double.POSITIVE_INFINITY;

    TomcatvLoops(LoopSize size) {
        super(size, Math::max, Double.NEGATIVE_INFINITY);
        this.size = size;
        int n = size.size();
        x = DoubleMatrix.of(n, n);
        y = DoubleMatrix.of(n, n);
        residualX = DoubleMatrix.of(n, n);
        residualY = DoubleMatrix.of(n, n);
        side = DoubleMatrix.of(n, n);
        diagonal = DoubleMatrix.of(n, n);
        TomcatvMesh mesh = new TomcatvMesh(x, y, residualX, residualY, side, diagonal, n, 0);
        fill = Loop.each(row -> mesh.fill(row));
        residual = Loop.max(row -> mesh.residual(row)).charging(TomcatvMesh.residualUnits(n));
        solve = Loop.each(row -> mesh.solve(row)).charging(TomcatvMesh.solveUnits(n));
        move = Loop.each(row -> mesh.move(row)).charging(TomcatvMesh.moveUnits(n));
    }

    @Override
    protected Loop<None, Double> reducing() {
        return residual;
    }

    @Override
    protected void steps(Team team) {
        team.forEach(size.all(), size.schedule(), fill, NONE);
        for (int step = 0; step < size.steps(); step++) {
            largest = team.reduce(size.inner(), size.schedule(), residual, NONE);
            team.forEach(size.inner(), size.schedule(), solve, NONE);
            team.forEach(size.inner(), size.schedule(), move, NONE);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] results = SameBits.append(SameBits.of(x, y), largest);
        return TomcatvSequential.verify(size, root, results);
    }
}
