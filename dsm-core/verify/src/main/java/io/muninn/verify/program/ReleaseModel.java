package io.muninn.verify.program;

import io.muninn.verify.program.Litmus.Access;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * What pages under release consistency may show to a program with races: the states that a litmus
 * test can reach, in any order of what may happen. A store is performed at its own node at once,
 * and at others when a release that follows it is; here the only release is the arrival at the
 * barrier behind all accesses. A protocol says what a fetch brings, where a release sends its
 * stores, and what is loaded behind the barrier.
 */
abstract class ReleaseModel extends Exploration<ReleaseModel.State> {
    static final int NOTHING = -1;

    /** Everything that matters of a moment; copied for each thing that can happen next. */
    static final class State {
        final int[] next;
        final long[] registers;
        final int[][] memory; // by node and location
        final int[][] others; // what the node has had from others, or told them: its twins
        final int[][] changes; // what the node's arrival sends, or NOTHING
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

        /** Equal for equal states: every number is one character. */
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

    /** A node has no copy of a page that its thread is to use. */
    abstract void fetch(State state, int node, int page);

    /** What a node has changed goes on its way. */
    abstract void release(State then, int node);

    /** What a node has changed of a page arrives at another. */
    abstract void receive(State then, int from, int to, int page);

    /** Whether what nodes have changed may arrive at others. */
    boolean mayArrive(State state) {
        return true;
    }

    /** What the thread of a node loads behind the barrier. */
    abstract int loadedLast(State state, int node, int place);

    /**
     * All outcomes.
     *
     * @param nodes those of the threads come first
     * @param cached whether every node has a copy of everything before the test begins
     */
    final TreeSet<String> outcomes(int nodes, boolean cached) {
        State first = new State(nodes, locations, registers);
        for (boolean[] held : first.holds) {
            Arrays.fill(held, cached);
        }
        begin(first);
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
     * @return true if nothing is on its way to a copy
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

    /** The barrier has fallen: the first thread loads the final values, then the last. */
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
