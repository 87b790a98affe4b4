package io.muninn.spi;

import io.muninn.model.PageId;
import java.util.BitSet;

/**
 * The granules of a page that threads of a node have loaded, in runs that check for races.
 *
 * @param granules their indices in the page
 * @param isCertain false if the memory was lent to the program, which may load it or not
 */
public record PageLoads(PageId page, BitSet granules, boolean isCertain) {
    public PageLoads {
        granules = (BitSet) granules.clone();
    }

    @Override
    public BitSet granules() {
        return (BitSet) granules.clone();
    }
}
