package io.muninn.sim.program;

import io.muninn.sim.program.Litmus.Access;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The oracle of what write-shared pages may show to a program with races, each thread on a node of
 * its own. From Munin §2.1, condition 2, and §2.3: a store is performed at its own node at once,
 * and at others when a release that follows it is; here the only release is the arrival at the
 * barrier behind all accesses. Until then a store stays where it is, unless a first fetch takes it
 * along:
 *
 * <ul>
 *   <li>A node with no copy fetches one from any node that has one. A node that was alone with the
 *       page has made no twin: it gives the page as it is. Any other gives what it has had from, or
 *       told, others.
 *   <li>An arrival sends each page's changed elements to all other copies; each of these messages
 *       arrives at its own time, in any order: copyset closure may delay any of them.
 *   <li>An update overwrites what is there, but no store that has not left yet.
 * </ul>
 *
 * <p>All orders of these are taken. Two that the protocol does not take are among them: an update
 * may come again after an image that has it, and a thread may wait between a fetch and its access.
 */
final class WriteSharedModel {
    private static final int NOTHING = -1;

    /** Everything that matters of a moment; copied for each thing that can happen next. */
    private static final class State {
        final int[] next;
        final long[] registers;
        final int[][] memory; // by node and location
        final int[][] others; // what the node has had from others, or told them: its twins
        final int[][] changes; // what the node's arrival sends, or NOTHING
        final boolean[][] holds; // by node and page
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
            arrived = new boolean[nodes];
            onTheWay = new boolean[nodes][nodes][locations];
            for (int[] of : changes) {
                Arrays.fill(of, NOTHING);
            }
        }

        State(State from) {
            next = from.next.clone();
            registers = from.registers.clone();
            memory = copy(from.memory);
            others = copy(from.others);
            changes = copy(from.changes);
            holds = copy(from.holds);
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
            return key.append((char) finalsLoaded).toString();
        }
    }

    private final List<List<Access>> threads;
    private final List<Integer> finals;
    private final int nodes;
    private final int locations;
    private final boolean onePage;
    private final int[] firstRegister;
    private final int loads;
    private final TreeSet<String> outcomes = new TreeSet<>();
    private final TreeSet<String> seen = new TreeSet<>();
    private final ArrayDeque<State> open = new ArrayDeque<>();

    private WriteSharedModel(Litmus litmus, boolean onePage) {
        this.threads = litmus.accesses(false);
        this.finals = litmus.finalPlaces();
        this.nodes = threads.size();
        this.locations = litmus.locations();
        this.onePage = onePage;
        this.loads = litmus.loads();
        firstRegister = new int[nodes];
        for (int i = 1; i < nodes; i++) {
            firstRegister[i] = firstRegister[i - 1] + loadsBefore(i - 1, threads.get(i - 1).size());
        }
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean onePage, boolean cached) {
        WriteSharedModel model = new WriteSharedModel(litmus, onePage);
        State first = new State(model.nodes, model.locations, litmus.registers());
        for (boolean[] held : first.holds) {
            Arrays.fill(held, cached);
        }
        model.reach(first);
        while (!model.open.isEmpty()) {
            model.goOn(model.open.pop());
        }
        return model.outcomes;
    }

    private void reach(State state) {
        if (seen.add(state.key())) {
            open.push(state);
        }
    }

    private int page(int location) {
        return onePage ? 0 : location;
    }

    private int loadsBefore(int thread, int index) {
        return (int) threads.get(thread).subList(0, index).stream().filter(Access::isLoad).count();
    }

    private void goOn(State state) {
        for (int i = 0; i < nodes; i++) {
            if (state.next[i] < threads.get(i).size()) {
                access(state, i, threads.get(i).get(state.next[i]));
            } else if (!state.arrived[i]) {
                arrive(state, i);
            }
        }
        boolean settled = deliverEach(state);
        for (boolean each : state.arrived) {
            settled &= each;
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
            int register = firstRegister[node] + loadsBefore(node, state.next[node]);
            then.registers[register] = state.memory[node][place];
        } else {
            then.memory[node][place] = access.value();
        }
        then.next[node]++;
        reach(then);
    }

    private void fetch(State state, int node, int page) {
        int holders = holders(state, page);
        if (holders == 0) {
            State then = new State(state);
            then.holds[node][page] = true;
            reach(then);
        }
        for (int from = 0; from < nodes; from++) {
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

    private void arrive(State state, int node) {
        State then = new State(state);
        then.arrived[node] = true;
        for (int i = 0; i < locations; i++) {
            boolean shared = state.holds[node][page(i)] && holders(state, page(i)) > 1;
            if (shared && state.memory[node][i] != state.others[node][i]) {
                then.changes[node][i] = state.memory[node][i];
                then.others[node][i] = state.memory[node][i];
                for (int to = 0; to < nodes; to++) {
                    then.onTheWay[node][to][page(i)] = to != node;
                }
            }
        }
        reach(then);
    }

    /**
     * @return true if nothing is on its way to a copy
     */
    private boolean deliverEach(State state) {
        boolean settled = true;
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                for (int page = 0; page < locations; page++) {
                    if (state.onTheWay[from][to][page] && state.holds[to][page]) {
                        settled = false;
                        deliver(state, from, to, page);
                    }
                }
            }
        }
        return settled;
    }

    private void deliver(State state, int from, int to, int page) {
        State then = new State(state);
        then.onTheWay[from][to][page] = false;
        for (int i = 0; i < locations; i++) {
            if (page(i) == page && state.changes[from][i] != NOTHING) {
                if (then.memory[to][i] == then.others[to][i]) {
                    then.memory[to][i] = state.changes[from][i];
                }
                then.others[to][i] = state.changes[from][i];
            }
        }
        reach(then);
    }

    /** The barrier has fallen: the first thread loads the final values, then the last. */
    private void loadFinal(State state) {
        if (state.finalsLoaded == Litmus.FINAL_READERS * finals.size()) {
            outcomes.add(Litmus.outcome(state.registers, state.registers.length));
            return;
        }
        int reader = state.finalsLoaded < finals.size() ? 0 : nodes - 1;
        int place = finals.get(state.finalsLoaded % finals.size());
        if (!state.holds[reader][page(place)]) {
            fetch(state, reader, page(place));
            return;
        }
        State then = new State(state);
        then.registers[loads + state.finalsLoaded] = state.memory[reader][place];
        then.finalsLoaded++;
        reach(then);
    }
}
