package io.muninn.verify.program;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The oracle of pages whose frames are in memory that all nodes address: all outcomes of a program
 * with races, each thread on a node of its own. A release writes the stores of its node back to the
 * frames, page by page. A fetch copies a frame.
 *
 * <p>A copy does not change while the test runs. A copy made before the test may end before the
 * first access of its node: the departure from the barrier between them discards it, if another
 * node has left the barrier earlier and has released stores to the page since.
 */
final class PooledModel extends ReleaseModel {
    private final boolean isWhole;

    private PooledModel(Litmus litmus, boolean onePage, boolean isWhole) {
        super(litmus, onePage);
        this.isWhole = isWhole;
    }

    /** The number of the frames, beside those of nodes. */
    private int frames() {
        return threads();
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins; otherwise
     *     at most the root has
     * @param isWhole whether no other node acts while a release writes to several frames, as in the
     *     simulator
     */
    static TreeSet<String> outcomes(
            Litmus litmus, boolean onePage, boolean cached, boolean isWhole) {
        TreeSet<String> outcomes = new TreeSet<>();
        int nodes = litmus.threads().size();
        int pages = onePage ? 1 : litmus.locations();
        for (int held = 0; held < 1 << nodes * pages; held++) {
            if (cached || isOfOneNode(held, pages)) {
                outcomes.addAll(new PooledModel(litmus, onePage, isWhole).outcomes(held, pages));
            }
        }
        return outcomes;
    }

    private static boolean isOfOneNode(int held, int pages) {
        int first = Integer.numberOfTrailingZeros(held) / pages;
        return held == 0 || held >>> first * pages < 1 << pages;
    }

    /**
     * @param held a bit for each copy, by node and page
     */
    private TreeSet<String> outcomes(int held, int pages) {
        return outcomes(
                frames() + 1,
                first -> {
                    for (int node = 0; node < frames(); node++) {
                        for (int page = 0; page < pages; page++) {
                            first.holds[node][page] = (held >>> node * pages + page & 1) != 0;
                        }
                    }
                    Arrays.fill(first.holds[frames()], true);
                });
    }

    @Override
    void fetch(State state, int node, int page) {
        State then = new State(state);
        for (int i = 0; i < locations; i++) {
            if (page(i) == page) {
                then.memory[node][i] = state.memory[frames()][i];
                then.others[node][i] = then.memory[node][i];
            }
        }
        then.holds[node][page] = true;
        reach(then);
    }

    @Override
    void release(State then, int node) {
        for (int i = 0; i < locations; i++) {
            boolean isChanged = then.memory[node][i] != then.others[node][i];
            if (isChanged && isWhole) {
                then.memory[frames()][i] = then.memory[node][i];
            } else if (isChanged) {
                then.changes[node][i] = then.memory[node][i];
                then.onTheWay[node][frames()][page(i)] = true;
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
        return state.memory[frames()][place];
    }
}
