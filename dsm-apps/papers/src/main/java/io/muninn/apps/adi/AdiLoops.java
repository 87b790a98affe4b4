package io.muninn.apps.adi;

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

/** ADI as parallel loops: two of them, because the time levels change their roles. */
final class AdiLoops implements LoopProgram {
    @Shared(Protocol.LAZY)
    private final DoubleMatrix evenU1;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix evenU2;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix evenU3;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix oddU1;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix oddU2;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix oddU3;

    private final Loop<None, None> fill;
    private final Loop<None, None> advanceEven;
    private final Loop<None, None> advanceOdd;

    private final LoopSize size;

    AdiLoops(LoopSize size) {
        this.size = size;
        int n = size.size();
        evenU1 = DoubleMatrix.of(n, AdiGrid.WIDTH);
        evenU2 = DoubleMatrix.of(n, AdiGrid.WIDTH);
        evenU3 = DoubleMatrix.of(n, AdiGrid.WIDTH);
        oddU1 = DoubleMatrix.of(n, AdiGrid.WIDTH);
        oddU2 = DoubleMatrix.of(n, AdiGrid.WIDTH);
        oddU3 = DoubleMatrix.of(n, AdiGrid.WIDTH);
        AdiGrid even = new AdiGrid(evenU1, evenU2, evenU3, 0);
        AdiGrid odd = new AdiGrid(oddU1, oddU2, oddU3, 0);
        fill =
                Loop.each(row -> {
                    even.fill(row);
                    odd.fill(row);
                });
        advanceEven = Loop.each(row -> even.advance(row, odd)).charging(AdiGrid.ROW_UNITS);
        advanceOdd = Loop.each(row -> odd.advance(row, even)).charging(AdiGrid.ROW_UNITS);
    }

    @Override
    public void run(Team team) {
        team.forEach(size.all(), size.schedule(), fill, NONE);
        for (int step = 0; step < size.steps(); step++) {
            Loop<None, None> advance = step % 2 == 0 ? advanceEven : advanceOdd;
            team.forEach(size.inner(), size.schedule(), advance, NONE);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] results =
                size.steps() % 2 == 0
                        ? SameBits.of(evenU1, evenU2, evenU3)
                        : SameBits.of(oddU1, oddU2, oddU3);
        return AdiSequential.verify(size, root, results);
    }
}
