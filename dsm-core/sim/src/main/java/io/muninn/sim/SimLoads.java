package io.muninn.sim;

import io.muninn.model.PageId;
import io.muninn.spi.PageLoads;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the threads of a node have loaded since the kernel was told last. */
final class SimLoads {
    private final Map<PageId, BitSet> certain = new LinkedHashMap<>();
    private final Map<PageId, BitSet> possible = new LinkedHashMap<>();

    /**
     * @param offset of the first byte in the page
     */
    void add(PageId page, int granuleBytes, int offset, int bytes, boolean isCertain) {
        (isCertain ? certain : possible)
                .computeIfAbsent(page, _ -> new BitSet())
                .set(offset / granuleBytes, (offset + bytes - 1) / granuleBytes + 1);
    }

    boolean isEmpty() {
        return certain.isEmpty() && possible.isEmpty();
    }

    List<PageLoads> take() {
        List<PageLoads> all = new ArrayList<>();
        certain.forEach((page, granules) -> all.add(new PageLoads(page, granules, true)));
        possible.forEach((page, granules) -> all.add(new PageLoads(page, granules, false)));
        certain.clear();
        possible.clear();
        return all;
    }
}
