package io.muninn.verify.program;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The oracle of pages whose frames are in memory that all nodes address: all outcomes of a program
 * with races, each thread on a node of its own. The home of a page uses the frame in place; the
 * placements are those of {@link HomeBasedModel}. A release writes the stores of another node back
 * to the frames, page by page. A fetch copies a frame, with stores that its home has not released.
 *
 * <p>A copy does not change while the test runs. A copy made before the test may end before the
 * first access of its node: the departure from the barrier between them discards it, if another
 * node has left the barrier earlier and has released stores to the page since.
 */
final class PooledModel extends ReleaseModel {
    private final List<Integer> homes; // by page
    private final boolean isWhole;

    private PooledModel(Litmus litmus, boolean onePage, List<Integer> homes, boolean isWhole) {
        super(litmus, onePage);
        this.homes = homes;
        this.isWhole = isWhole;
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins; otherwise
     *     none has
     * @param isWhole whether no other node acts while a release writes to several frames, as in the
     *     simulator
     */
    static TreeSet<String> outcomes(
            Litmus litmus, boolean onePage, boolean cached, boolean isWhole) {
        TreeSet<String> outcomes = new TreeSet<>();
        int nodes = litmus.threads().size() + 1; // one without a thread may be a home
        int pages = onePage ? 1 : litmus.locations();
        Set<List<Integer>> homes =
                HomeBasedModel.placements(litmus, onePage, false).stream()
                        .map(HomeBasedModel.Placement::homes)
                        .collect(Collectors.toSet());
        int copies = cached ? 1 << litmus.threads().size() * pages : 1;
        for (List<Integer> each : homes) {
            for (int held = 0; held < copies; held++) {
                outcomes.addAll(
                        new PooledModel(litmus, onePage, each, isWhole).outcomes(nodes, held));
            }
        }
        return outcomes;
    }

    /**
     * @param held a bit for each copy, by node and page
     */
    private TreeSet<String> outcomes(int nodes, int held) {
        int pages = homes.size();
        return outcomes(
                nodes,
                first -> {
                    for (int node = 0; node < threads(); node++) {
                        for (int page = 0; page < pages; page++) {
                            first.holds[node][page] = (held >>> node * pages + page & 1) != 0;
                        }
                    }
                    for (int page = 0; page < pages; page++) {
                        first.holds[homes.get(page)][page] = true;
                    }
                });
    }

    @Override
    void fetch(State state, int node, int page) {
        State then = new State(state);
        for (int i = 0; i < locations; i++) {
            if (page(i) == page) {
                then.memory[node][i] = state.memory[homes.get(page)][i];
                then.others[node][i] = then.memory[node][i];
            }
        }
        then.holds[node][page] = true;
        reach(then);
    }

    @Override
    void release(State then, int node) {
        for (int i = 0; i < locations; i++) {
            int home = homes.get(page(i));
            boolean isChanged = home != node && then.memory[node][i] != then.others[node][i];
            if (isChanged && isWhole) {
                then.memory[home][i] = then.memory[node][i];
            } else if (isChanged) {
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

    /** After the barrier every copy that lacks stores is discarded. */
    @Override
    int loadedLast(State state, int node, int place) {
        return state.memory[homes.get(page(place))][place];
    }
}
