package io.muninn.bench.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.spi.NodeCounter;
import org.junit.jupiter.api.Test;

/** The steps of a release between a pair of kernels. */
class KernelPairTest {
    private static final int PAGES = 10;

    @Test
    void eachRelease_sendsADiffOfEveryPage_andEndsOnBothNodes() {
        KernelPair pair = new KernelPair(PAGES);
        assertEquals(PAGES, pair.count(NodeCounter.PAGES_HEATED));
        long made = pair.count(NodeCounter.DIFFS_MADE);
        long kept = pair.count(NodeCounter.TWINS_KEPT);
        long faults = pair.count(NodeCounter.WRITE_FAULTS);
        long returned = pair.returned();

        pair.release();
        pair.release();

        assertEquals(2 * PAGES, pair.count(NodeCounter.DIFFS_MADE) - made);
        assertEquals(2 * PAGES, pair.count(NodeCounter.TWINS_KEPT) - kept);
        assertEquals(faults, pair.count(NodeCounter.WRITE_FAULTS));
        assertEquals(4, pair.returned() - returned);
    }
}
