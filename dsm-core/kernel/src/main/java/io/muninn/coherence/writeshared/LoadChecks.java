package io.muninn.coherence.writeshared;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.writeshared.StoredGranules.GranuleRun;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageStores;
import io.muninn.coherence.writeshared.WriteSharedMessages.Races;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.PageLoads;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Detects loads of write-shared pages that are concurrent with stores of other nodes; a part of
 * {@link RaceChecks}.
 *
 * <p>For each granule this node keeps its last load, and the last store that it has heard of: of a
 * diff, its own or another node's, or of the {@link PageStores} that precede an image. The two are
 * concurrent if the storing node did not know the interval of the load when it compared, and this
 * node did not know the interval of the store when it loaded. An older load or store adds nothing:
 * a node that does not know it does not know the last one either, unless these two are a race
 * themselves.
 *
 * <p>Every store that can meet a load of this node is heard of: a node without a copy has not
 * loaded, no copy is given up in runs that look for races, and an image comes with the stores that
 * it contains.
 *
 * <p>Bounded by the shared memory: some references for each granule of a page that this node loads
 * from or hears of.
 */
final class LoadChecks {
    /**
     * Stores of a node in one interval of its logical clock.
     *
     * @param known timestamp that the node had seen when it compared
     * @param point of synchronization that caused the flush
     */
    record Stored(NodeId by, long interval, VectorTimestamp known, String point) {}

    /**
     * Loads of this node.
     *
     * @param known timestamp that it had seen
     * @param point of synchronization before
     */
    private record Loaded(long interval, VectorTimestamp known, String point) {}

    /** What is known of a page, by granule. */
    private static final class Accesses {
        final @Nullable Stored[] stores; // null before the first
        final @Nullable Loaded[] loads; // certain ones
        final @Nullable Loaded[] lent; // possible ones
        final BitSet told = new BitSet();
        final BitSet toldPossible = new BitSet();

        Accesses(int granules) {
            stores = new Stored[granules];
            loads = new Loaded[granules];
            lent = new Loaded[granules];
        }
    }

    private final Context context;
    private final NodeId self;
    private final TreeMap<PageId, Accesses> pages = new TreeMap<>();
    private Loaded present; // shared by the loads of an interval

    LoadChecks(Context context) {
        this.context = context;
        this.self = context.self();
        this.present = new Loaded(0, VectorTimestamp.zero(context.nodes()), "");
    }

    private Accesses of(PageId page) {
        return pages.computeIfAbsent(
                page,
                _ -> {
                    RegionSpec region = context.region(page);
                    return new Accesses(region.pageBytes() / region.granuleBytes());
                });
    }

    /**
     * Loads of this node.
     *
     * @param point of synchronization before
     */
    void onLoaded(PageLoads made, String point, Effects out) {
        context.clock().stored(); // the interval has to end with the next release
        Loaded load = present(point);
        Accesses page = of(made.page());
        Found found = new Found(made.page(), page, out);
        BitSet granules = made.granules();
        if (granules.length() > page.stores.length) {
            throw new IllegalArgumentException("loads beyond the end of page " + made.page());
        }
        @Nullable Loaded[] last = made.isCertain() ? page.loads : page.lent;
        granules.stream()
                .forEach(granule -> {
                    last[granule] = load;
                    found.compare(granule, page.stores[granule], load, made.isCertain());
                });
        found.send();
    }

    private Loaded present(String point) {
        long interval = context.clock().interval();
        VectorTimestamp seen = context.clock().seen();
        if (present.interval() != interval
                || !present.known().equals(seen)
                || !present.point().equals(point)) {
            present = new Loaded(interval, seen, point);
        }
        return present;
    }

    /** A diff of this node, or of another before it is applied. */
    void onStores(PageId id, BitSet granules, Stored stored, Effects out) {
        Accesses page = of(id);
        Found found = new Found(id, page, out);
        granules.stream()
                .forEach(granule -> {
                    found.compare(granule, stored);
                    page.stores[granule] = stored;
                });
        found.send();
    }

    /** The stores that a page contains, for a node that gets its image. */
    void tell(NodeId asker, PageId id, VectorTimestamp askerKnows, Effects out) {
        Accesses page = pages.get(id);
        if (page == null) {
            return;
        }
        Map<Stored, BitSet> parts = new LinkedHashMap<>();
        for (int granule = 0; granule < page.stores.length; granule++) {
            Stored stored = page.stores[granule];
            if (stored != null
                    && !stored.by().equals(asker)
                    && !askerKnows.covers(stored.by(), stored.interval())) {
                parts.computeIfAbsent(stored, _ -> new BitSet()).set(granule);
            }
        }
        if (!parts.isEmpty()) {
            List<StoredGranules> all = new ArrayList<>();
            parts.forEach((stored, granules) -> all.add(StoredGranules.of(stored, granules)));
            out.send(asker, new PageStores(id, all));
        }
    }

    /** The stores in an image that follows. */
    void onPageStores(PageStores message, Effects out) {
        Accesses page = of(message.page());
        for (StoredGranules part : message.stores()) {
            Stored stored = part.stored();
            if (stored.known().nodes() != context.nodes()
                    || stored.by().index() >= context.nodes()) {
                throw new MalformedMessageException("stores of an unknown node: " + message);
            }
            Found found = new Found(message.page(), page, out);
            for (GranuleRun run : part.runs()) {
                int end = checkedEnd(run, page);
                for (int granule = run.first(); granule < end; granule++) {
                    hear(found, granule, stored);
                }
            }
            found.send();
        }
    }

    private static int checkedEnd(GranuleRun run, Accesses page) {
        long end = (long) run.first() + run.count();
        if (run.first() < 0 || run.count() < 0 || end > page.stores.length) {
            throw new MalformedMessageException("stores beyond the end of a page: " + run);
        }
        return (int) end;
    }

    /** A store in an image is the last one, unless this node has heard of a later one. */
    private static void hear(Found found, int granule, Stored stored) {
        @Nullable Stored[] stores = found.page.stores;
        Stored before = stores[granule];
        if (before == null || !before.known().covers(stored.by(), stored.interval())) {
            found.compare(granule, stored);
            stores[granule] = stored;
        }
    }

    /** The races of a page that a step finds. Each granule is reported once. */
    private final class Found {
        private final PageId id;
        private final Accesses page;
        private final Effects out;
        private final Map<Stored, List<FoundRace>> races = new LinkedHashMap<>();

        Found(PageId id, Accesses page, Effects out) {
            this.id = id;
            this.page = page;
            this.out = out;
        }

        void compare(int granule, Stored stored) {
            compare(granule, stored, page.loads[granule], true);
            compare(granule, stored, page.lent[granule], false);
        }

        void compare(
                int granule, @Nullable Stored stored, @Nullable Loaded load, boolean isCertain) {
            if (stored == null || load == null || !areConcurrent(stored, load)) {
                return;
            }
            BitSet told = isCertain ? page.told : page.toldPossible;
            if (!told.get(granule)) {
                told.set(granule);
                races.computeIfAbsent(stored, _ -> new ArrayList<>())
                        .add(FoundRace.ofLoad(granule, load.point(), isCertain));
            }
        }

        private boolean areConcurrent(Stored stored, Loaded load) {
            return !stored.by().equals(self)
                    && !stored.known().covers(self, load.interval())
                    && !load.known().covers(stored.by(), stored.interval());
        }

        void send() {
            races.forEach((stored, found) ->
                    out.send(NodeId.ROOT, new Races(id, stored.by(), stored.point(), found)));
        }
    }
}
