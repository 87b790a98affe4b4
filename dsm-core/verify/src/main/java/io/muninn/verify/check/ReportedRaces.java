package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every reported race is a race: threads of two nodes have accessed the granule, at least one with
 * a store, and the accesses are not ordered by happened-before. The oracle is {@link
 * VectorTimestamps}, by thread; kernels use vector timestamps by node, and compare diffs.
 */
final class ReportedRaces implements Checker {
    static final String NAME = "reported races";

    /** A granule, by its offset in a page. */
    private record Place(PageId page, int offset) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byPage = page.compareTo(other.page);
            return byPage != 0 ? byPage : Integer.compare(offset, other.offset);
        }
    }

    /** The last interval of each thread in which it has loaded, and stored; 0 for none. */
    private static final class Accesses {
        final int[] loads;
        final int[] stores;
        boolean areConcurrent; // a load and a store of two nodes

        Accesses(int threads) {
            loads = new int[threads];
            stores = new int[threads];
        }
    }

    private final ClusterView overview;
    private final Stores stores;
    private final VectorTimestamps timestamps;
    private final Map<Place, Accesses> places = new TreeMap<>();
    private int[] nodes = {}; // by position of thread; -1 before its first access

    ReportedRaces(ClusterView overview, Stores stores, VectorTimestamps timestamps) {
        this.overview = overview;
        this.stores = stores;
        this.timestamps = timestamps;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        nodes = new int[simulation.positions()];
        Arrays.fill(nodes, -1);
    }

    @Override
    public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
        note(thread, page, offset, bytes, false);
    }

    @Override
    public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
        note(thread, page, offset, bytes, true);
    }

    private void note(SimThread thread, PageId page, int offset, int bytes, boolean isStore) {
        if (!thread.node().loads().areOf(overview.region(page))) {
            return;
        }
        int position = thread.position();
        nodes[position] = thread.node().id().index();
        int granule = overview.region(page).granuleBytes();
        int[] known = timestamps.known(position);
        for (int at = 0; at < bytes; at += granule) {
            Accesses place =
                    places.computeIfAbsent(
                            new Place(page, offset + at), _ -> new Accesses(nodes.length));
            int[] others = isStore ? place.loads : place.stores;
            for (int other = 0; other < others.length; other++) {
                place.areConcurrent |=
                        others[other] > known[other] && nodes[other] != nodes[position];
            }
            (isStore ? place.stores : place.loads)[position] = timestamps.interval(position);
        }
    }

    @Override
    public void onRace(PageId page, int offset, String text, boolean isCertain) {
        Accesses place = places.get(new Place(page, offset));
        boolean isOfLoad = place != null && place.areConcurrent;
        if (!isOfLoad && !stores.hadConflict(page, offset)) {
            throw violation(
                    "no race is at " + overview.region(page).name() + " " + page + ": " + text);
        }
    }
}
