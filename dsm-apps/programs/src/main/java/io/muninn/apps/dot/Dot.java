package io.muninn.apps.dot;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of DOT in the list of programs. */
public final class Dot extends LoopEntry {
    public Dot() {
        super(
                "dot",
                "inner product of two vectors",
                new Sizes("elements of a vector", 524288, 1, 67108864),
                100);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new DotLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return DotMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return DotSequential.solve(size, node);
    }

    @Override
    protected boolean isReducing() {
        return true;
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return DotSequential.verify(size, results);
    }
}
