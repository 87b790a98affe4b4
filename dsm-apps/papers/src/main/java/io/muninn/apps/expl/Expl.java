package io.muninn.apps.expl;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of EXPL in the list of programs. */
public final class Expl extends LoopEntry {
    public Expl() {
        super(
                "expl",
                "a fragment of explicit hydrodynamics",
                new Sizes("rows and columns of the grid, edges included", 512, 3, 4096),
                20);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new ExplLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return ExplMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return ExplSequential.solve(size, node);
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return ExplSequential.verify(size, root, results);
    }
}
