package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.sim.SimThread;
import io.muninn.spi.ProtocolTraits.MemoryModel;

/**
 * Sequential consistency of regions whose protocol promises it: every load returns the value of the
 * last stores to its bytes in witness order, with or without data races. Stores of different widths
 * may overlap.
 */
final class WitnessOrder implements Checker {
    static final String NAME = "witness order";

    private final ClusterView overview;
    private final OneMemory memory;

    WitnessOrder(ClusterView overview, OneMemory memory) {
        this.overview = overview;
        this.memory = memory;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
        if (overview.traits(page).memoryModel() != MemoryModel.SEQUENTIAL_CONSISTENCY) {
            return;
        }
        long expected = memory.load(page, offset, bytes);
        if (value != expected) {
            throw violation(
                    thread
                            + " loads "
                            + value
                            + " of "
                            + bytes
                            + " bytes at offset "
                            + offset
                            + " of "
                            + thread.node().describe(page)
                            + ", but the last store in witness order left "
                            + expected);
        }
    }
}
