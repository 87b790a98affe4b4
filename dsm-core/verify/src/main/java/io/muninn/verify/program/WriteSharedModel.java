package io.muninn.verify.program;

import java.util.TreeSet;

/**
 * The oracle of write-shared pages: all outcomes of a program with races, each thread on a node of
 * its own. From Munin §2.1, condition 2, and §2.3: a store is performed at its own node at once,
 * and at others with a release that follows it; here the only release is the arrival at the barrier
 * after all accesses. Until then a store remains at its node, unless a first fetch includes it:
 *
 * <ul>
 *   <li>A node without a copy fetches one from any node that has one. A sole holder has made no
 *       twin, and sends the page as it is. Any other sends the stores that it has received from or
 *       sent to others.
 *   <li>An arrival sends each page's changed elements to all other copies. These messages arrive in
 *       any order, because copyset closure may delay any of them.
 *   <li>An update overwrites the copy, except stores that have not been sent yet.
 * </ul>
 *
 * <p>All orders of these are explored. Two of them cannot occur in the protocol: an update may
 * arrive again after an image that contains it, and a thread may wait between a fetch and its
 * access.
 */
final class WriteSharedModel extends ReleaseModel {
    private WriteSharedModel(Litmus litmus, boolean onePage) {
        super(litmus, onePage);
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean onePage, boolean cached) {
        return new WriteSharedModel(litmus, onePage).outcomes(litmus.threads().size(), cached);
    }

    @Override
    void fetch(State state, int node, int page) {
        int holders = holders(state, page);
        if (holders == 0) {
            State then = new State(state);
            then.holds[node][page] = true;
            reach(then);
        }
        for (int from = 0; from < threads(); from++) {
            if (state.holds[from][page]) {
                State then = new State(state);
                for (int i = 0; i < locations; i++) {
                    if (page(i) == page) {
                        if (holders == 1) {
                            then.others[from][i] = then.memory[from][i];
                        }
                        then.memory[node][i] = then.others[from][i];
                        then.others[node][i] = then.others[from][i];
                    }
                }
                then.holds[node][page] = true;
                reach(then);
            }
        }
    }

    private int holders(State state, int page) {
        int count = 0;
        for (boolean[] held : state.holds) {
            count += held[page] ? 1 : 0;
        }
        return count;
    }

    @Override
    void release(State then, int node) {
        for (int i = 0; i < locations; i++) {
            boolean shared = then.holds[node][page(i)] && holders(then, page(i)) > 1;
            if (shared && then.memory[node][i] != then.others[node][i]) {
                then.changes[node][i] = then.memory[node][i];
                then.others[node][i] = then.memory[node][i];
                for (int to = 0; to < threads(); to++) {
                    then.onTheWay[node][to][page(i)] = to != node;
                }
            }
        }
    }

    @Override
    void receive(State then, int from, int to, int page) {
        for (int i = 0; i < locations; i++) {
            if (page(i) == page && then.changes[from][i] != NOTHING) {
                if (then.memory[to][i] == then.others[to][i]) {
                    then.memory[to][i] = then.changes[from][i];
                }
                then.others[to][i] = then.changes[from][i];
            }
        }
    }

    @Override
    int loadedLast(State state, int node, int place) {
        return state.memory[node][place];
    }
}
