package io.muninn.apps.rb;

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

/** RB as parallel loops. Elements of one colour depend only on elements of the other. */
final class RbLoops implements LoopProgram {
    @Shared(Protocol.LAZY)
    private final DoubleMatrix values;

    private final Loop<None, None> fill;
    private final Loop<None, None> red;
    private final Loop<None, None> black;

    private final LoopSize size;

    RbLoops(LoopSize size) {
        this.size = size;
        int n = size.size();
        values = DoubleMatrix.of(n, n);
        RbGrid grid = new RbGrid(values, 0);
        fill = Loop.each(row -> grid.fill(row));
        red = Loop.each(row -> grid.relax(row, RbGrid.RED)).charging(RbGrid.relaxUnits(n));
        black = Loop.each(row -> grid.relax(row, RbGrid.BLACK)).charging(RbGrid.relaxUnits(n));
    }

    @Override
    public void run(Team team) {
        team.forEach(size.all(), size.schedule(), fill, NONE);
        for (int step = 0; step < size.steps(); step++) {
            team.forEach(size.inner(), size.schedule(), red, NONE);
            team.forEach(size.inner(), size.schedule(), black, NONE);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return RbSequential.verify(size, root, SameBits.of(values));
    }
}
