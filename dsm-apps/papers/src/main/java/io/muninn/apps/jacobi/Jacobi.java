package io.muninn.apps.jacobi;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of JACOBI in the list of programs. */
public final class Jacobi extends LoopEntry {
    public Jacobi() {
        super(
                "jacobi",
                "Jacobi iteration with a convergence test",
                new Sizes("rows and columns of the grid, edges included", 1024, 3, 8192),
                20);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new JacobiLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return JacobiMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return JacobiSequential.solve(size, node);
    }

    @Override
    protected boolean isReducing() {
        return true;
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return JacobiSequential.verify(size, root, results);
    }
}
