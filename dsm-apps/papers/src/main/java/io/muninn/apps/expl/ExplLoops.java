package io.muninn.apps.expl;

import static io.muninn.api.None.NONE;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;

/** EXPL as parallel loops. */
final class ExplLoops implements LoopProgram {
    @Shared(Protocol.LAZY)
    private final DoubleMatrix pressure;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix mass;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix r;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix z;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix u;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix v;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix a;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix b;

    private final Loop<None, None> fill;
    private final Loop<None, None> push;
    private final Loop<None, None> accelerate;
    private final Loop<None, None> move;

    private final LoopSize size;

    ExplLoops(LoopSize size) {
        this.size = size;
        int n = size.size();
        pressure = DoubleMatrix.of(n, n);
        mass = DoubleMatrix.of(n, n);
        r = DoubleMatrix.of(n, n);
        z = DoubleMatrix.of(n, n);
        u = DoubleMatrix.of(n, n);
        v = DoubleMatrix.of(n, n);
        a = DoubleMatrix.of(n, n);
        b = DoubleMatrix.of(n, n);
        ExplGrid grid = new ExplGrid(pressure, mass, r, z, u, v, a, b, 0);
        fill = Loop.each(row -> grid.fill(row));
        push = Loop.each(row -> grid.push(row)).charging(ExplGrid.pushUnits(n));
        accelerate = Loop.each(row -> grid.accelerate(row)).charging(ExplGrid.accelerateUnits(n));
        move = Loop.each(row -> grid.move(row)).charging(ExplGrid.moveUnits(n));
    }

    @Override
    public void run(Team team) {
        team.forEach(size.all(), size.schedule(), fill, NONE);
        for (int step = 0; step < size.steps(); step++) {
            team.forEach(size.inner(), size.schedule(), push, NONE);
            team.forEach(size.inner(), size.schedule(), accelerate, NONE);
            team.forEach(size.inner(), size.schedule(), move, NONE);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return ExplSequential.verify(size, root, SameBits.of(r, z, u, v));
    }
}
