package io.muninn.sim;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.kernel.port.Traps;
import io.muninn.model.PageId;
import io.muninn.spi.PageLoads;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the threads of a node have loaded since the kernel was told last. */
public final class SimLoads {
    private final SimNode node;
    private final Map<PageId, BitSet> certain = new LinkedHashMap<>();
    private final Map<PageId, BitSet> possible = new LinkedHashMap<>();

    SimLoads(SimNode node) {
        this.node = node;
    }

    /** True if loads from a region are recorded. */
    public boolean areOf(RegionSpec region) {
        return node.simulation().cluster().checksRaces()
                && ProtocolKind.of(region.protocol()).traits().has(Trait.FINDS_RACES);
    }

    /**
     * A thread loads a part of a page, from a region with {@link #areOf}.
     *
     * @param offset of the first byte in the page
     * @param isCertain as in {@link PageLoads}
     */
    public void add(PageId page, int offset, int bytes, boolean isCertain) {
        int granuleBytes = node.pages().spec(page.region()).granuleBytes();
        (isCertain ? certain : possible)
                .computeIfAbsent(page, _ -> new BitSet())
                .set(offset / granuleBytes, (offset + bytes - 1) / granuleBytes + 1);
    }

    void report(Traps.Listener listener) {
        if (certain.isEmpty() && possible.isEmpty()) {
            return;
        }
        List<PageLoads> all = new ArrayList<>();
        certain.forEach((page, granules) -> all.add(new PageLoads(page, granules, true)));
        possible.forEach((page, granules) -> all.add(new PageLoads(page, granules, false)));
        certain.clear();
        possible.clear();
        listener.loaded(all);
    }
}
