package io.muninn.kernel;

import io.muninn.api.spi.RegionSpec;
import io.muninn.diff.Diff;
import io.muninn.kernel.port.Pages;
import io.muninn.model.PageId;
import io.muninn.spi.Race;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The stores that one node has sent, granule by granule, in runs that check for races: the last
 * interval with a store, and its value. An older one adds nothing: a node that does not know the
 * older interval does not know the last one either.
 *
 * <p>Bounded by the shared memory: two numbers for each granule of a page that this node has stored
 * to.
 */
final class OwnStores {
    /** Of one page, by granule. */
    private static final class Sent {
        final long[] intervals; // 0 for none
        final long[] values;

        Sent(RegionSpec region) {
            intervals = new long[region.pageBytes() / region.granuleBytes()];
            values = new long[intervals.length];
        }
    }

    private final TreeMap<PageId, Sent> sent = new TreeMap<>();
    private final TreeMap<PageId, BitSet> told = new TreeMap<>();

    /** Records the granules of a diff, and returns them. */
    BitSet note(RegionSpec region, PageId page, long interval, MemorySegment diff) {
        Sent last = sent.computeIfAbsent(page, _ -> new Sent(region));
        BitSet changed = new BitSet();
        Diff.forEach(
                diff,
                region.pageBytes(),
                region.granuleBytes(),
                (index, value) -> {
                    last.intervals[index] = interval;
                    last.values[index] = value;
                    changed.set(index);
                });
        return changed;
    }

    /** The granules that a diff changes. */
    static BitSet granules(RegionSpec region, MemorySegment diff) {
        BitSet changed = new BitSet();
        Diff.forEach(
                diff, region.pageBytes(), region.granuleBytes(), (index, _) -> changed.set(index));
        return changed;
    }

    /**
     * The granules of an arriving diff that this node has stored to without the knowledge of its
     * sender; each is returned once.
     *
     * @param known the last interval of this node that the sender knew of
     */
    List<Race> races(RegionSpec region, PageId page, MemorySegment diff, long known, Pages pages) {
        List<Race> races = new ArrayList<>();
        Sent own = sent.get(page); // null if nothing was sent
        BitSet before = told.computeIfAbsent(page, _ -> new BitSet());
        int granuleBytes = region.granuleBytes();
        Diff.forEach(
                diff,
                region.pageBytes(),
                granuleBytes,
                (index, value) -> {
                    if (before.get(index)) {
                        return;
                    }
                    OptionalLong here = pages.localStore(page, index * granuleBytes, granuleBytes);
                    if (here.isPresent()) {
                        races.add(new Race(index, here.getAsLong(), value, 0));
                    } else if (own != null && own.intervals[index] > known) {
                        races.add(new Race(index, own.values[index], value, own.intervals[index]));
                    }
                });
        races.forEach(race -> before.set(race.granule()));
        return races;
    }
}
