package io.muninn.apps.swm;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of SWM in the list of programs. */
public final class Swm extends LoopEntry {
    public Swm() {
        super(
                "swm",
                "shallow water equations on a periodic grid",
                new Sizes("rows and columns of the grid", 750, 3, 4096),
                20);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new SwmLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return SwmMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return SwmSequential.solve(size, node);
    }

    @Override
    protected boolean isReducing() {
        return true;
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return SwmSequential.verify(size, root, results);
    }
}
