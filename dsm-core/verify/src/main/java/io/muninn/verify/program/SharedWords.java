package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Regions of several protocols, whose words are allocated one by one, each time the next one of
 * some region: neighbours have different uses, so pages are falsely shared.
 */
final class SharedWords {
    private static final int WORDS_PER_PAGE = 16;

    private final Random random;
    private final List<RegionSpec> regions = new ArrayList<>();
    private final int[] used; // by region

    /**
     * @param protocols those that permit stores have a region each; there is at least one
     * @param pages of each region
     */
    SharedWords(Random random, List<Protocol> protocols, int pages) {
        this.random = random;
        for (Protocol protocol : protocols) {
            if (!protocol.isSealed()) {
                addRegion(protocol, (long) pages * RegionSpec.MACHINE_PAGE_BYTES);
            }
        }
        used = new int[regions.size()];
    }

    private void addRegion(Protocol protocol, long bytes) {
        int index = regions.size();
        regions.add(
                new RegionSpec(
                        index,
                        "region" + index,
                        protocol,
                        index * bytes,
                        bytes,
                        Long.BYTES,
                        1,
                        RandomLayout.home(random, protocol),
                        List.of()));
    }

    List<RegionSpec> regions() {
        return regions;
    }

    Variable next() {
        int region = random.nextInt(regions.size());
        int word = used[region]++;
        PageId page = new PageId(region, word / WORDS_PER_PAGE);
        return new Variable(page, word % WORDS_PER_PAGE * Long.BYTES, Long.BYTES);
    }
}
