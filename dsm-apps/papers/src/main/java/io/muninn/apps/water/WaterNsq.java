package io.muninn.apps.water;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import io.muninn.apps.Structure;
import java.util.List;

/** The entry of water by pairs in the list of programs. */
public final class WaterNsq extends SpmdEntry<WaterSize> {
    private static final Number MOLECULES =
            new Number("molecules", "in the box", 512, WaterSize.MOLECULES_MIN, 4096);
    private static final Number STEPS = new Number("steps", "of time", 9, 0, 1000);

    public WaterNsq() {
        super(
                "water-nsq",
                "molecules of water, by all pairs, with a lock each (Mowry, section 2.3)",
                List.of(MOLECULES, STEPS),
                new Distance("groups of 64 molecules", 1));
    }

    @Override
    protected List<String> choices() {
        return List.of(Structure.OPTION);
    }

    @Override
    protected String choicesUsage() {
        return Structure.usage(WaterSize.STRUCTURES);
    }

    @Override
    protected WaterSize size(Options options) {
        Structure structure = Structure.of(options, WaterSize.STRUCTURES);
        return new WaterSize(MOLECULES.of(options), STEPS.of(options), structure);
    }

    @Override
    protected DsmProgram shared(WaterSize size, Prefetching prefetching) {
        boolean isUsual = !size.structure().has(Structure.PLAIN);
        if (!isUsual && prefetching.isOn()) {
            throw new IllegalArgumentException("option --prefetch needs --structure usual");
        }
        return isUsual ? new PairsShared(size, prefetching) : new PairsLevels(size);
    }

    @Override
    protected double[] messages(WaterSize size, DsmNode node) {
        return PairsMessages.run(size, node);
    }

    @Override
    protected double[] sequential(WaterSize size, DsmNode node) {
        return PairsSequential.run(size, node);
    }

    @Override
    protected Verdict verify(WaterSize size, DsmNode root, double[] results) {
        return WaterOracle.verifyPairs(size, results, PairsSequential.run(size, root));
    }
}
