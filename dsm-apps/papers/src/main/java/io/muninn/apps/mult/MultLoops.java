package io.muninn.apps.mult;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Schedule;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;

/** MULT as a parallel loop over the rows of the product (CVM, Table 1). */
final class MultLoops implements LoopProgram {
    @Shared(Protocol.READ_ONLY)
    private final DoubleMatrix left;

    @Shared(Protocol.READ_ONLY)
    private final DoubleMatrix right;

    @Shared(Protocol.LAZY)
    private final DoubleMatrix product;

    /** The first row of the matrices of one repetition. */
    record First(int row) {}

    private final Loop<First, None> multiply;

    private final int size;
    private final int repeat;
    private final Schedule schedule;

    MultLoops(int size, int repeat, Schedule schedule) {
        this.size = size;
        this.repeat = repeat;
        this.schedule = schedule;
        left = DoubleMatrix.of(repeat * size, size);
        right = DoubleMatrix.of(repeat * size, size);
        product = DoubleMatrix.of(repeat * size, size);
        multiply =
                Loop.each(
                                First.class,
                                (first, row) ->
                                        MultKernel.multiplyRow(
                                                left,
                                                right,
                                                first.row(),
                                                product,
                                                first.row() + row,
                                                new double[size]))
                        .charging((long) size * size);
    }

    @Override
    public void initialize(DsmNode root) {
        MultKernel.fill(left, right);
    }

    @Override
    public void run(Team team) {
        Band rows = new Band(0, size);
        Repeats.run(
                team,
                repeat,
                turn -> team.forEach(rows, schedule, multiply, new First(turn * size)));
    }

    @Override
    public Verdict verify(DsmNode root) {
        return MultKernel.verify(product);
    }
}
