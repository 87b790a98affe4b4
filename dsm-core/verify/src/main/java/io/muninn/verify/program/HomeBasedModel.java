package io.muninn.verify.program;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The oracle of pages with homes: all outcomes of a program with races, each thread on a node of
 * its own. From Bilas, Iftode, Samanta, Singh, section 2: the stores of an interval arrive at the
 * home of their page after the release, and at other nodes with a fetch from there:
 *
 * <ul>
 *   <li>The home stores in place. A fetch returns the home's content, including stores that the
 *       home has not released.
 *   <li>A copy does not change while the test runs: only an acquire would withdraw it, and the only
 *       one is the departure after all accesses.
 *   <li>A release does not wait for its flushes. They arrive at the home in any order, even while
 *       its own thread still stores.
 *   <li>The root has the initial content of all pages before the first fetch.
 * </ul>
 *
 * <p>All placements of threads and homes are explored. By first touch, the home of a page is a node
 * that stores to it: either from the start, since all copies are equal until then, or its store is
 * a flush to the root.
 */
final class HomeBasedModel extends ReleaseModel {
    /**
     * A placement of homes. A node has the number of its thread; a node without a thread, the next
     * number after the last.
     *
     * @param homes by page
     */
    record Placement(int root, List<Integer> homes) {}

    private final Placement placement;

    private HomeBasedModel(Litmus litmus, boolean onePage, Placement placement) {
        super(litmus, onePage);
        this.placement = placement;
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean onePage, boolean cached) {
        TreeSet<String> outcomes = new TreeSet<>();
        for (Placement each : placements(litmus, onePage, true)) {
            int nodes = litmus.threads().size() + 1;
            outcomes.addAll(new HomeBasedModel(litmus, onePage, each).outcomes(nodes, cached));
        }
        return outcomes;
    }

    /**
     * All placements that a run of the test may draw: the nodes of threads, and a policy.
     *
     * @param moves whether the first node to store to a page becomes its home under that policy;
     *     otherwise the root is it
     */
    static Set<Placement> placements(Litmus litmus, boolean onePage, boolean moves) {
        Set<Placement> all = new LinkedHashSet<>();
        int threads = litmus.threads().size();
        int pages = onePage ? 1 : litmus.locations();
        for (int nodes = threads; nodes <= threads + 1; nodes++) {
            for (int shift = 0; shift < nodes; shift++) {
                int root = thread(0, nodes, shift);
                for (Home home : Home.values()) {
                    if (moves && home == Home.FIRST_TOUCH) {
                        addFirstTouches(litmus, onePage, pages, root, new ArrayList<>(), all);
                    } else {
                        all.add(new Placement(root, homes(home, pages, nodes, shift)));
                    }
                }
            }
        }
        return all;
    }

    private static List<Integer> homes(Home home, int pages, int nodes, int shift) {
        long bytes = (long) pages * RegionSpec.MACHINE_PAGE_BYTES;
        RegionSpec region =
                new RegionSpec(
                        0, "pages", Protocol.HOME_BASED, 0, bytes, Long.BYTES, 1, home, List.of());
        List<Integer> homes = new ArrayList<>();
        for (int page = 0; page < pages; page++) {
            homes.add(thread(region.homeOf(page, nodes).index(), nodes, shift));
        }
        return homes;
    }

    private static int thread(int node, int nodes, int shift) {
        return Math.floorMod(node - shift, nodes);
    }

    private static void addFirstTouches(
            Litmus litmus,
            boolean onePage,
            int pages,
            int root,
            List<Integer> homes,
            Set<Placement> all) {
        int page = homes.size();
        if (page == pages) {
            all.add(new Placement(root, List.copyOf(homes)));
            return;
        }
        int threads = litmus.threads().size();
        for (int node = 0; node <= threads; node++) {
            if (node == root || node == threads || storesTo(litmus, onePage, node, page)) {
                homes.add(node);
                addFirstTouches(litmus, onePage, pages, root, homes, all);
                homes.removeLast();
            }
        }
    }

    private int home(int page) {
        return placement.homes().get(page);
    }

    @Override
    void begin(State first) {
        for (int page = 0; page < placement.homes().size(); page++) {
            first.holds[home(page)][page] = true;
            first.holds[placement.root()][page] = true;
        }
    }

    @Override
    void fetch(State state, int node, int page) {
        State then = new State(state);
        for (int i = 0; i < locations; i++) {
            if (page(i) == page) {
                then.memory[node][i] = state.memory[home(page)][i];
                then.others[node][i] = then.memory[node][i];
            }
        }
        then.holds[node][page] = true;
        reach(then);
    }

    @Override
    void release(State then, int node) {
        for (int i = 0; i < locations; i++) {
            int home = home(page(i));
            if (home != node && then.memory[node][i] != then.others[node][i]) {
                then.changes[node][i] = then.memory[node][i];
                then.onTheWay[node][home][page(i)] = true;
            }
        }
    }

    @Override
    void receive(State then, int from, int to, int page) {
        for (int i = 0; i < locations; i++) {
            if (page(i) == page && then.changes[from][i] != NOTHING) {
                then.memory[to][i] = then.changes[from][i];
            }
        }
    }

    /** After the barrier every node loads the home's content. */
    @Override
    int loadedLast(State state, int node, int place) {
        return state.memory[home(page(place))][place];
    }
}
