package io.muninn.apps.water;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;

/** The entry of water by cells in the list of programs. */
public final class WaterSp extends SpmdEntry<WaterSize> {
    private static final Number MOLECULES =
            new Number("molecules", "in the box", 4096, WaterSize.MOLECULES_MIN, 32_768);
    private static final Number STEPS = new Number("steps", "of time", 9, 0, 1000);

    public WaterSp() {
        super(
                "water-sp",
                "molecules of water, by cells with linked lists (Mowry, section 2.3)",
                List.of(MOLECULES, STEPS),
                new Distance("molecules of a list", 16));
    }

    @Override
    protected WaterSize size(Options options) {
        return new WaterSize(MOLECULES.of(options), STEPS.of(options));
    }

    @Override
    protected DsmProgram shared(WaterSize size, Prefetching prefetching) {
        return new CellsShared(size, prefetching);
    }

    @Override
    protected double[] messages(WaterSize size, DsmNode node) {
        return CellsMessages.run(size, node);
    }

    @Override
    protected double[] sequential(WaterSize size, DsmNode node) {
        return CellsSequential.run(size, node);
    }

    @Override
    protected Verdict verify(WaterSize size, DsmNode root, double[] results) {
        return WaterOracle.verifyCells(size, results, CellsSequential.run(size, root));
    }
}
