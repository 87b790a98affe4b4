package io.muninn.verify.program;

import io.muninn.verify.program.Litmus.Access;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All outcomes of programs with races on pages under release consistency: explores the states of a
 * litmus test in any order of actions. A store is performed at its own node at once, and at others
 * with a release that follows it; here the only release is the arrival at the barrier after all
 * accesses. A protocol defines the content of a fetch, the receivers of a release, and the loads
 * after the barrier.
 */
abstract class ReleaseModel extends Exploration<ReleaseModel.State> {
    static final int NOTHING = -1;

    /** The state at one moment; copied for each possible next action. */
    static final class State {
        final int[] next;
        final long[] registers;
        final int[][] memory; // by node and location
        final int[][] others; // stores received from or sent to others: its twins
        final int[][] changes; // stores that the node's arrival sends, or NOTHING
        final boolean[][] holds; // by node and page
        final int[] first; // by page: the node that held it before all others, or NOTHING
        final boolean[] arrived;
        final boolean[][][] onTheWay; // from node, to node, page
        int finalsLoaded;

        State(int nodes, int locations, int registers) {
            next = new int[nodes];
            this.registers = new long[registers];
            memory = new int[nodes][locations];
            others = new int[nodes][locations];
            changes = new int[nodes][locations];
            holds = new boolean[nodes][locations];
            first = new int[locations];
            arrived = new boolean[nodes];
            onTheWay = new boolean[nodes][nodes][locations];
            for (int[] of : changes) {
                Arrays.fill(of, NOTHING);
            }
            Arrays.fill(first, NOTHING);
        }

        State(State from) {
            next = from.next.clone();
            registers = from.registers.clone();
            memory = copy(from.memory);
            others = copy(from.others);
            changes = copy(from.changes);
            holds = copy(from.holds);
            first = from.first.clone();
            arrived = from.arrived.clone();
            onTheWay = new boolean[from.onTheWay.length][][];
            for (int i = 0; i < onTheWay.length; i++) {
                onTheWay[i] = copy(from.onTheWay[i]);
            }
            finalsLoaded = from.finalsLoaded;
        }

        private static int[][] copy(int[][] from) {
            return Arrays.stream(from).map(int[]::clone).toArray(int[][]::new);
        }

        private static boolean[][] copy(boolean[][] from) {
            return Arrays.stream(from).map(boolean[]::clone).toArray(boolean[][]::new);
        }

        /** A key that is equal for equal states: every number is one character. */
        String key() {
            StringBuilder key = new StringBuilder();
            for (long register : registers) {
                key.append((char) register);
            }
            for (int i = 0; i < next.length; i++) {
                key.append((char) next[i]).append(arrived[i] ? 'A' : '-');
                for (int j = 0; j < memory[i].length; j++) {
                    key.append((char) memory[i][j]);
                    key.append((char) others[i][j]);
                    key.append((char) (changes[i][j] - NOTHING));
                    key.append(holds[i][j] ? 'H' : '-');
                    for (boolean[] pages : onTheWay[i]) {
                        key.append(pages[j] ? 'M' : '-');
                    }
                }
            }
            for (int node : first) {
                key.append((char) (node - NOTHING));
            }
            return key.append((char) finalsLoaded).toString();
        }
    }

    ReleaseModel(Litmus litmus, boolean onePage) {
        super(litmus, onePage);
    }

    /** Fetches a page for the thread of a node that has no copy. */
    abstract void fetch(State state, int node, int page);

    /** Sends the changes of a node. */
    abstract void release(State then, int node);

    /** The changes of a node in a page arrive at another node. */
    abstract void receive(State then, int from, int to, int page);

    /** Whether changes of nodes may arrive at others. */
    boolean mayArrive(State state) {
        return true;
    }

    /** The value that the thread of a node loads after the barrier. */
    abstract int loadedLast(State state, int node, int place);

    /**
     * Returns all outcomes.
     *
     * @param nodes number of nodes; those of the threads come first
     * @param cached whether every node has a copy of everything before the test begins
     */
    final TreeSet<String> outcomes(int nodes, boolean cached) {
        return outcomes(
                nodes,
                first -> {
                    for (boolean[] held : first.holds) {
                        Arrays.fill(held, cached);
                    }
                    begin(first);
                });
    }

    /**
     * Returns all outcomes.
     *
     * @param begin changes the first state, in which no node has a copy
     */
    final TreeSet<String> outcomes(int nodes, Consumer<State> begin) {
        State first = new State(nodes, locations, registers);
        begin.accept(first);
        reach(first);
        return explored();
    }

    /** Changes the first state. */
    void begin(State first) {}

    final int threads() {
        return threads.size();
    }

    /** True if the thread of a node stores to a page. */
    static boolean storesTo(Litmus litmus, boolean onePage, int node, int page) {
        return litmus.accesses(false).get(node).stream()
                .anyMatch(each -> !each.isLoad() && (onePage || each.place() == page));
    }

    @Override
    final String key(State state) {
        return state.key();
    }

    @Override
    final void goOn(State state) {
        boolean settled = !mayArrive(state) || deliverEach(state);
        for (int i = 0; i < threads.size(); i++) {
            settled &= state.arrived[i];
            if (state.next[i] < threads.get(i).size()) {
                access(state, i, threads.get(i).get(state.next[i]));
            } else if (!state.arrived[i]) {
                State then = new State(state);
                then.arrived[i] = true;
                release(then, i);
                reach(then);
            }
        }
        if (settled) {
            loadFinal(state);
        }
    }

    private void access(State state, int node, Access access) {
        int place = access.place();
        if (!state.holds[node][page(place)]) {
            fetch(state, node, page(place));
            return;
        }
        State then = new State(state);
        if (access.isLoad()) {
            int register = register(node, state.next[node]);
            then.registers[register] = state.memory[node][place];
        } else {
            then.memory[node][place] = access.value();
        }
        then.next[node]++;
        reach(then);
    }

    /**
     * @return true if no change is in transit to a copy
     */
    private boolean deliverEach(State state) {
        boolean settled = true;
        for (int from = 0; from < state.next.length; from++) {
            for (int to = 0; to < state.next.length; to++) {
                for (int page = 0; page < locations; page++) {
                    if (state.onTheWay[from][to][page] && state.holds[to][page]) {
                        settled = false;
                        State then = new State(state);
                        then.onTheWay[from][to][page] = false;
                        receive(then, from, to, page);
                        reach(then);
                    }
                }
            }
        }
        return settled;
    }

    /** After the barrier, the first thread loads the final values, then the last. */
    private void loadFinal(State state) {
        if (state.finalsLoaded == Litmus.FINAL_READERS * finals.size()) {
            outcomes.add(Litmus.outcome(state.registers, state.registers.length));
            return;
        }
        int reader = state.finalsLoaded < finals.size() ? 0 : threads.size() - 1;
        int place = finals.get(state.finalsLoaded % finals.size());
        if (!state.holds[reader][page(place)]) {
            fetch(state, reader, page(place));
            return;
        }
        State then = new State(state);
        then.registers[loads + state.finalsLoaded] = loadedLast(state, reader, place);
        then.finalsLoaded++;
        reach(then);
    }
}
