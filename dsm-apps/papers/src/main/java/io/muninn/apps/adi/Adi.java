package io.muninn.apps.adi;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of ADI in the list of programs. */
public final class Adi extends LoopEntry {
    public Adi() {
        super(
                "adi",
                "a fragment of ADI integration",
                new Sizes("length of the grid, edges included", 65536, 3, 4194304),
                20);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new AdiLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return AdiMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return AdiSequential.solve(size, node);
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return AdiSequential.verify(size, root, results);
    }
}
