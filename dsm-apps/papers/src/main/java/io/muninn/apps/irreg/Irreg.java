package io.muninn.apps.irreg;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of IRREG in the list of programs. */
public final class Irreg extends LoopEntry {
    public Irreg() {
        super(
                "irreg",
                "relaxation over a random mesh",
                new Sizes("edges of the mesh", 1024000, 1, 20000000),
                20);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new IrregLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return IrregMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return IrregSequential.solve(size, node);
    }

    @Override
    protected boolean isReducing() {
        return true;
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return IrregSequential.verify(size, root, results);
    }
}
