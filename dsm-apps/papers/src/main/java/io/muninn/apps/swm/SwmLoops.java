package io.muninn.apps.swm;

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

/** SWM as parallel loops. */
final class SwmLoops extends ReducingLoops {
    @Shared(Protocol.LAZY)
    private final DoubleMatrix u;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix v;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix p;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix massU;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix massV;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix vorticity;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix height;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix nextU;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix nextV;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix nextP;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix oldU;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix oldV;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix oldP;

    /** The values of a step that its loops need. */
    record Step(double seconds) {}

    private final Loop<None, None> fill;
    private final Loop<None, None> flow;
    private final Loop<Step, None> advance;
    private final Loop<None, None> shift;
    private final Loop<None, Double> weigh;

    private final LoopSize size;
    private double before;
    private double after;

    SwmLoops(LoopSize size) {
        super(size, Double::sum, 0);
        this.size = size;
        int n = size.size();
        u = DoubleMatrix.of(n, n);
        v = DoubleMatrix.of(n, n);
        p = DoubleMatrix.of(n, n);
        massU = DoubleMatrix.of(n, n);
        massV = DoubleMatrix.of(n, n);
        vorticity = DoubleMatrix.of(n, n);
        height = DoubleMatrix.of(n, n);
        nextU = DoubleMatrix.of(n, n);
        nextV = DoubleMatrix.of(n, n);
        nextP = DoubleMatrix.of(n, n);
        oldU = DoubleMatrix.of(n, n);
        oldV = DoubleMatrix.of(n, n);
        oldP = DoubleMatrix.of(n, n);
        SwmGrid.Level next = new SwmGrid.Level(nextU, nextV, nextP);
        SwmGrid.Level old = new SwmGrid.Level(oldU, oldV, oldP);
        SwmGrid grid = new SwmGrid(u, v, p, massU, massV, vorticity, height, next, old, n, 0);
        fill = Loop.each(row -> grid.fill(row));
        flow =
                Loop.each(row -> grid.flow((row + n - 1) % n, row, (row + 1) % n))
                        .charging(SwmGrid.flowUnits(n));
        advance =
                Loop.each(
                                Step.class,
                                (step, row) ->
                                        grid.advance(
                                                (row + n - 1) % n,
                                                row,
                                                (row + 1) % n,
                                                step.seconds()))
                        .charging(SwmGrid.advanceUnits(n));
        shift = Loop.each(row -> grid.shift(row)).charging(SwmGrid.shiftUnits(n));
        weigh = Loop.sum(row -> grid.weight(row));
    }

    @Override
    protected Loop<None, Double> reducing() {
        return weigh;
    }

    @Override
    protected void steps(Team team) {
        team.forEach(size.all(), size.schedule(), fill, NONE);
        before = team.reduce(size.all(), size.schedule(), weigh, NONE);
        for (int step = 0; step < size.steps(); step++) {
            Step now = new Step(SwmGrid.seconds(step));
            team.forEach(size.all(), size.schedule(), flow, NONE);
            team.forEach(size.all(), size.schedule(), advance, now);
            team.forEach(size.all(), size.schedule(), shift, NONE);
        }
        after = team.reduce(size.all(), size.schedule(), weigh, NONE);
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] results = SameBits.append(SameBits.of(u, v, p), before, after);
        return SwmSequential.verify(size, root, results);
    }
}
