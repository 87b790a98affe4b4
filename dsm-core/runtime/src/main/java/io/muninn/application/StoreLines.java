package io.muninn.application;

import io.muninn.api.Mode;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.RegionSpec;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallBuffer;
import io.muninn.link.ProgramPlace;
import io.muninn.model.PageId;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The lines of the program that store to shared pages, in a run whose views have guards and whose
 * report is a page: of each page, the line of the first store after the agent was told last.
 *
 * <p><b>Order.</b> The agent is told when it is told of loads, see {@link LoadRecord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
final class StoreLines {
    /** Largest number of pages in one frame. */
    private static final int PAGES_MAX = 4096;

    private final List<Pages> regions = new CopyOnWriteArrayList<>();
    private Map<String, Map<PageId, Integer>> stores = new HashMap<>(); // by line; monitor: this

    /**
     * Creates the guard of a region's views.
     *
     * @param loads also guards them
     */
    AccessGuard guard(RegionSpec region, Optional<AccessGuard> loads) {
        Pages created = new Pages(region, loads);
        regions.add(created);
        return created;
    }

    private void add(PageId page) {
        Optional<String> line = ProgramPlace.ofThisThread();
        if (line.isPresent()) {
            synchronized (this) {
                stores.computeIfAbsent(line.get(), _ -> new HashMap<>())
                        .merge(page, 1, Integer::sum);
            }
        }
    }

    private synchronized Map<String, Map<PageId, Integer>> take() {
        Map<String, Map<PageId, Integer>> taken = stores;
        if (!taken.isEmpty()) {
            stores = new HashMap<>();
            regions.forEach(Pages::clear);
        }
        return taken;
    }

    /** Tells the agent of all stores so far, of all threads. */
    void tell(AgentConnection agent) {
        take().forEach((line, pages) -> {
            List<Map.Entry<PageId, Integer>> all = List.copyOf(pages.entrySet());
            for (int from = 0; from < all.size(); from += PAGES_MAX) {
                CallBuffer out = agent.start(Call.STORED).text(line);
                for (var each : all.subList(from, Math.min(from + PAGES_MAX, all.size()))) {
                    out.u32(each.getKey().region()).u32(each.getKey().index()).u32(each.getValue());
                }
                agent.call();
            }
        });
    }

    /** The pages of one region; a bit for each that was stored to. */
    private final class Pages implements AccessGuard {
        private final int index;
        private final int pageShift;
        private final AtomicBits stored;
        private final Optional<AccessGuard> loads;

        Pages(RegionSpec region, Optional<AccessGuard> loads) {
            index = region.index();
            pageShift = Integer.numberOfTrailingZeros(region.pageBytes());
            stored = new AtomicBits(region.pages());
            this.loads = loads;
        }

        @Override
        public void load(long offset, long bytes) {
            if (loads.isPresent()) { // without a lambda: every load passes here
                loads.get().load(offset, bytes);
            }
        }

        @Override
        public void mayLoad(long offset, long bytes) {
            if (loads.isPresent()) {
                loads.get().mayLoad(offset, bytes);
            }
        }

        @Override
        public void store(long offset, long bytes) {
            if (loads.isPresent()) {
                loads.get().store(offset, bytes);
            }
            int last = (int) (offset + bytes - 1 >>> pageShift);
            for (int page = (int) (offset >>> pageShift); page <= last; page++) {
                if (!stored.get(page) && stored.set(page)) {
                    add(new PageId(index, page));
                }
            }
        }

        @Override
        public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
            return loads.isPresent() ? loads.get().lend(part, offset, mode) : part;
        }

        void clear() {
            for (int i = 0; i < stored.words(); i++) {
                stored.take(i);
            }
        }
    }
}
