package io.muninn.application;

import io.muninn.api.Mode;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.RegionSpec;
import io.muninn.link.ThreadCalls;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.PageLoads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this process has loaded since its agent was told last, in a run that looks for races: a bit
 * for each granule of each region.
 *
 * <p><b>Order.</b> A thread tells the agent before each call, and before it frees a lock in shared
 * memory. So the agent knows of a load before any release that follows it, by whichever thread of
 * the process.
 *
 * <p><b>Threads.</b> Any application thread.
 */
final class LoadRecord {
    /** Largest number of pages in one frame. */
    private static final int PAGES_MAX = 256;

    private final List<Region> regions = new CopyOnWriteArrayList<>();

    /** Held until the agent has answered: another thread may be about to release. */
    private final ReentrantLock telling = new ReentrantLock();

    /** Creates the guard of a region's views. */
    AccessGuard guard(RegionSpec region) {
        Region created = new Region(region);
        regions.add(created);
        return created;
    }

    /** Tells the agent of all loads so far, of all threads. */
    void tell(ThreadCalls agent) {
        telling.lock();
        try {
            List<PageLoads> loads = new ArrayList<>();
            regions.forEach(region -> region.take(loads));
            for (int from = 0; from < loads.size(); from += PAGES_MAX) {
                int to = Math.min(from + PAGES_MAX, loads.size());
                agent.post(new Event.Loaded(loads.subList(from, to)));
            }
        } finally {
            telling.unlock();
        }
    }

    /** The loads from one region. */
    private static final class Region implements AccessGuard {
        private final int index;
        private final int granuleShift;
        private final int pageShift; // of granules
        private final Bits certain;
        private volatile @Nullable Bits possible; // null before the first segment

        Region(RegionSpec region) {
            index = region.index();
            granuleShift = Integer.numberOfTrailingZeros(region.granuleBytes());
            pageShift = Integer.numberOfTrailingZeros(region.pageBytes() / region.granuleBytes());
            certain = new Bits(region.pages(), pageShift);
        }

        @Override
        public void load(long offset, long bytes) {
            certain.add(offset >>> granuleShift, offset + bytes - 1 >>> granuleShift);
        }

        @Override
        public void mayLoad(long offset, long bytes) {
            Bits bits = possible;
            if (bits == null) {
                bits = startPossible();
            }
            bits.add(offset >>> granuleShift, offset + bytes - 1 >>> granuleShift);
        }

        private synchronized Bits startPossible() {
            Bits bits = possible;
            if (bits == null) {
                bits = new Bits(certain.pages(), pageShift);
                possible = bits;
            }
            return bits;
        }

        /** The comparison of pages finds stores. */
        @Override
        public void store(long offset, long bytes) {}

        @Override
        public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
            return part;
        }

        void take(List<PageLoads> to) {
            certain.take((page, bits) -> to.add(loads(page, bits, true)));
            Bits lent = possible;
            if (lent != null) {
                lent.take((page, bits) -> to.add(loads(page, bits, false)));
            }
        }

        private PageLoads loads(int page, BitSet granules, boolean isCertain) {
            return new PageLoads(new PageId(index, page), granules, isCertain);
        }
    }

    /** A bit for each granule, and one for each page with such a bit. */
    private static final class Bits {
        private interface Taken {
            void accept(int page, BitSet granules);
        }

        private final int pages;
        private final int pageShift;
        private final AtomicBits granules;
        private final AtomicBits touched;

        Bits(int pages, int pageShift) {
            this.pages = pages;
            this.pageShift = pageShift;
            granules = new AtomicBits((long) pages << pageShift);
            touched = new AtomicBits(pages);
        }

        int pages() {
            return pages;
        }

        void add(long first, long last) {
            for (long granule = first; granule <= last; granule++) {
                // stale at worst, if another thread takes the bits now: then it takes this one, too
                if (!granules.get(granule)) {
                    granules.set(granule);
                    touched.set(granule >>> pageShift); // after the granule: take() reads it first
                }
            }
        }

        void take(Taken action) {
            for (int i = 0; i < touched.words(); i++) {
                for (long word = touched.take(i); word != 0; word &= word - 1) {
                    int page = i * Long.SIZE + Long.numberOfTrailingZeros(word);
                    action.accept(page, takePage(page));
                }
            }
        }

        private BitSet takePage(int page) {
            int from = page << pageShift - 6;
            long[] words = new long[1 << pageShift - 6];
            for (int i = 0; i < words.length; i++) {
                words[i] = granules.take(from + i);
            }
            return BitSet.valueOf(words);
        }
    }
}
