package io.muninn.apps.jacobi;

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

/** JACOBI as parallel loops: the sequential program, with a loop for each of its loops. */
final class JacobiLoops extends ReducingLoops {
    @Shared(Protocol.LAZY)
    private final DoubleMatrix now;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix next;

    private final Loop<None, None> fill;
    private final Loop<None, None> relax;
    private final Loop<None, Double> accept;

    private final LoopSize size;
    private double change = Double.POSITIVE_INFINITY;

    JacobiLoops(LoopSize size) {
        super(size, Math::max, Double.NEGATIVE_INFINITY);
        this.size = size;
        int n = size.size();
        now = DoubleMatrix.of(n, n);
        next = DoubleMatrix.of(n, n);
        JacobiGrid grid = new JacobiGrid(now, next, 0);
        fill = Loop.each(row -> grid.fill(row));
        relax = Loop.each(row -> grid.relax(row)).charging(JacobiGrid.relaxUnits(n));
        accept = Loop.max(row -> grid.accept(row)).charging(JacobiGrid.acceptUnits(n));
    }

    @Override
    protected Loop<None, Double> reducing() {
        return accept;
    }

    @Override
    protected void steps(Team team) {
        team.forEach(size.all(), size.schedule(), fill, NONE);
        for (int step = 0; step < size.steps() && change > JacobiGrid.CONVERGED; step++) {
            team.forEach(size.inner(), size.schedule(), relax, NONE);
            change = team.reduce(size.inner(), size.schedule(), accept, NONE);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] results = SameBits.append(SameBits.of(now), change);
        return JacobiSequential.verify(size, root, results);
    }
}
