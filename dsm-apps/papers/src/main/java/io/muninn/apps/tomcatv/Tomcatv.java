package io.muninn.apps.tomcatv;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopEntry;
import io.muninn.apps.LoopSize;

/** The entry of TOMCATV in the list of programs. */
public final class Tomcatv extends LoopEntry {
    public Tomcatv() {
        super(
                "tomcatv",
                "generation of a mesh, its lines in rows",
                new Sizes("rows and columns of the mesh, edges included", 512, 3, 4096),
                40);
    }

    @Override
    protected LoopProgram loops(LoopSize size) {
        return new TomcatvLoops(size);
    }

    @Override
    protected double[] messages(LoopSize size, DsmNode node) {
        return TomcatvMessages.solve(size, node);
    }

    @Override
    protected double[] sequential(LoopSize size, DsmNode node) {
        return TomcatvSequential.solve(size, node);
    }

    @Override
    protected boolean isReducing() {
        return true;
    }

    @Override
    protected Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return TomcatvSequential.verify(size, root, results);
    }
}
