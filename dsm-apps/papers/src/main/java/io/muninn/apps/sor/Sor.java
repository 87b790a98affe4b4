package io.muninn.apps.sor;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Schedule;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.LoopSize;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;

/** The entry of SOR in the list of programs. */
public final class Sor extends SpmdEntry<LoopSize> {
    private static final Number SIZE =
            new Number("size", "rows and columns of the grid, edges included", 2000, 3, 8192);
    private static final Number STEPS = new Number("steps", "iterations", 50, 0, 10_000);

    public Sor() {
        super(
                "sor",
                "red-black successive over-relaxation, with barriers (Mowry, section 2.3)",
                List.of(SIZE, STEPS),
                new Distance("rows, in the first iteration,", 2));
    }

    @Override
    protected LoopSize size(Options options) {
        return new LoopSize(SIZE.of(options), STEPS.of(options), Schedule.BLOCK);
    }

    @Override
    protected DsmProgram shared(LoopSize size, Prefetching prefetching) {
        return new SorShared(size, prefetching);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return SorMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return SorGrid.solve(size, node);
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return SorGrid.verify(size, root, results);
    }
}
