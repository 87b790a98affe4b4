package io.muninn.apps.rb;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of RB in the list of programs. */
public final class Rb extends LoopEntry {
    public Rb() {
        super(
                "rb",
                "red-black successive over-relaxation",
                new Sizes("rows and columns of the grid, edges included", 1024, 3, 8192),
                40);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new RbLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return RbMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return RbSequential.solve(size, node);
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return RbSequential.verify(size, root, results);
    }
}
