package io.muninn.verify.program;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Regions of several protocols, whose words are allocated one by one, each time the next one of
 * some region: neighbours have different uses, so pages are falsely shared. Programs of many
 * threads have as many more pages as they need.
 */
final class SharedWords {
    private static final int WORDS_PER_PAGE = 16;

    private final Random random;
    private final List<Protocol> protocols;
    private final List<Home> homes; // by region
    private final int pages;
    private final int[] used; // by region

    /**
     * @param protocols those that permit stores have a region each; there is at least one
     * @param pages of each region, at least
     */
    SharedWords(Random random, List<Protocol> protocols, int pages) {
        this.random = random;
        this.protocols = protocols.stream().filter(each -> !each.isSealed()).toList();
        this.pages = pages;
        homes = this.protocols.stream().map(each -> RandomLayout.home(random, each)).toList();
        used = new int[homes.size()];
    }

    /** The regions of the words that are allocated so far. */
    List<RegionSpec> regions() {
        int most = Arrays.stream(used).max().orElse(0);
        int needed = Math.max(pages, (most + WORDS_PER_PAGE - 1) / WORDS_PER_PAGE);
        long bytes = (long) needed * RegionSpec.MACHINE_PAGE_BYTES;
        return IntStream.range(0, homes.size())
                .mapToObj(index ->
                        new RegionSpec(
                                index,
                                "region" + index,
                                protocols.get(index),
                                index * bytes,
                                bytes,
                                Long.BYTES,
                                1,
                                homes.get(index),
                                List.of()))
                .toList();
    }

    Variable next() {
        int region = random.nextInt(homes.size());
        int word = used[region]++;
        PageId page = new PageId(region, word / WORDS_PER_PAGE);
        return new Variable(page, word % WORDS_PER_PAGE * Long.BYTES, Long.BYTES);
    }
}
