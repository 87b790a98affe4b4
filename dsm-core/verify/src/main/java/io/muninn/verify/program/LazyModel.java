package io.muninn.verify.program;

import java.util.TreeSet;

/**
 * The oracle of pages whose diffs remain with their writers: all outcomes of a program with races,
 * each thread on a node of its own. The only release is the arrival at the barrier after all
 * accesses, and the only acquire is its departure.
 *
 * <ul>
 *   <li>If the region was allocated on every node, each node has copies of zeros at first.
 *   <li>Otherwise the first node that accesses a page has the only copy, and stores to it without a
 *       twin.
 *   <li>That node sends first copies to the others, or the root does once it has one. The first of
 *       these contains all earlier stores; a later one also the changes that its sender has listed
 *       at its arrival. Until the barrier a thread sees these stores, and its own.
 *   <li>An arrival lists the changes of its node since others have copies. After the barrier these
 *       diffs arrive at each node in any order, except those that its first copy contained. A node
 *       without a copy then fetches one from the first holder, or from a node that has listed
 *       changes.
 * </ul>
 */
final class LazyModel extends ReleaseModel {
    private final int root; // the root's thread, or NOTHING

    private LazyModel(Litmus litmus, boolean onePage, int root) {
        super(litmus, onePage);
        this.root = root;
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean onePage, boolean cached) {
        int nodes = litmus.threads().size();
        TreeSet<String> outcomes = new LazyModel(litmus, onePage, NOTHING).outcomes(nodes, true);
        for (int root = NOTHING; root < nodes && !cached; root++) {
            outcomes.addAll(new LazyModel(litmus, onePage, root).outcomes(nodes, false));
        }
        return outcomes;
    }

    @Override
    void fetch(State state, int node, int page) {
        if (holders(state, page) == 0) {
            State then = new State(state);
            then.holds[node][page] = true;
            then.first[page] = node;
            reach(then);
            return;
        }
        for (int from = 0; from < threads(); from++) {
            boolean mayAnswer =
                    from == state.first[page]
                            || from == root && state.holds[root][page]
                            || mayArrive(state) && hasListed(state, from, page);
            if (mayAnswer) {
                reach(fetched(state, node, from, page));
            }
        }
    }

    private State fetched(State state, int node, int from, int page) {
        State then = new State(state);
        for (int i = 0; i < locations; i++) {
            if (page(i) == page) {
                if (holders(state, page) == 1) {
                    then.others[from][i] = then.memory[from][i];
                }
                then.memory[node][i] = then.others[from][i];
                then.others[node][i] = then.others[from][i];
            }
        }
        for (int writer = 0; writer < threads(); writer++) {
            then.onTheWay[writer][node][page] = state.onTheWay[writer][from][page];
        }
        then.holds[node][page] = true;
        return then;
    }

    private int holders(State state, int page) {
        int count = 0;
        for (boolean[] held : state.holds) {
            count += held[page] ? 1 : 0;
        }
        return count;
    }

    private boolean hasListed(State state, int node, int page) {
        for (int i = 0; i < locations; i++) {
            if (page(i) == page && state.changes[node][i] != NOTHING) {
                return true;
            }
        }
        return false;
    }

    @Override
    void release(State then, int node) {
        for (int i = 0; i < locations; i++) {
            if (holders(then, page(i)) > 1 && then.memory[node][i] != then.others[node][i]) {
                then.changes[node][i] = then.memory[node][i];
                then.others[node][i] = then.memory[node][i];
                for (int to = 0; to < threads(); to++) {
                    then.onTheWay[node][to][page(i)] = to != node;
                }
            }
        }
    }

    /** True once all threads have arrived at the barrier. */
    @Override
    boolean mayArrive(State state) {
        for (boolean each : state.arrived) {
            if (!each) {
                return false;
            }
        }
        return true;
    }

    @Override
    void receive(State then, int from, int to, int page) {
        for (int i = 0; i < locations; i++) {
            if (page(i) == page && then.changes[from][i] != NOTHING) {
                then.memory[to][i] = then.changes[from][i];
                then.others[to][i] = then.changes[from][i];
            }
        }
    }

    @Override
    int loadedLast(State state, int node, int place) {
        return state.memory[node][place];
    }
}
