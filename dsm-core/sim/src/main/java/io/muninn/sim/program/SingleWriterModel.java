package io.muninn.sim.program;

import io.muninn.sim.program.Litmus.Access;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The oracle of what lazy pages with one writer may show to a program with races, each thread on a
 * node of its own; the only release is the arrival at the barrier behind all accesses, and so is
 * the only acquire.
 *
 * <ul>
 *   <li>A page is whole at its owner, at first the root. A store is performed there: the page moves
 *       to the node that stores, with all stores before.
 *   <li>A fetch brings what the owner has. Nothing arrives at a copy afterwards, also not at that
 *       which an owner keeps when its page moves away.
 *   <li>Behind the barrier all nodes load what the owner has.
 * </ul>
 *
 * <p>All orders of these are taken, and all places of the root.
 */
final class SingleWriterModel {
    /** Everything that matters of a moment; copied for each thing that can happen next. */
    private static final class State {
        final int[] next;
        final long[] registers;
        final int[] whole; // by location: what the owner of its page has
        final int[] owner; // by page: a thread, or one behind the last
        final int[][] copies; // by node and location
        final boolean[][] holds; // by node and page

        State(int nodes, int locations, int registers) {
            next = new int[nodes];
            this.registers = new long[registers];
            whole = new int[locations];
            owner = new int[locations];
            copies = new int[nodes][locations];
            holds = new boolean[nodes][locations];
        }

        State(State from) {
            next = from.next.clone();
            registers = from.registers.clone();
            whole = from.whole.clone();
            owner = from.owner.clone();
            copies = Arrays.stream(from.copies).map(int[]::clone).toArray(int[][]::new);
            holds = Arrays.stream(from.holds).map(boolean[]::clone).toArray(boolean[][]::new);
        }

        /** Equal for equal states. */
        String key() {
            return Arrays.toString(next)
                    + Arrays.toString(registers)
                    + Arrays.toString(whole)
                    + Arrays.toString(owner)
                    + Arrays.deepToString(copies)
                    + Arrays.deepToString(holds);
        }
    }

    private final List<List<Access>> threads;
    private final List<Integer> finals;
    private final boolean onePage;
    private final int[] firstRegister;
    private final int loads;
    private final TreeSet<String> outcomes = new TreeSet<>();
    private final TreeSet<String> seen = new TreeSet<>();
    private final ArrayDeque<State> open = new ArrayDeque<>();

    private SingleWriterModel(Litmus litmus, boolean onePage) {
        this.threads = litmus.accesses(false);
        this.finals = litmus.finalPlaces();
        this.onePage = onePage;
        this.loads = litmus.loads();
        firstRegister = new int[threads.size()];
        for (int i = 1; i < firstRegister.length; i++) {
            firstRegister[i] = firstRegister[i - 1] + loadsBefore(i - 1, threads.get(i - 1).size());
        }
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean onePage, boolean cached) {
        SingleWriterModel model = new SingleWriterModel(litmus, onePage);
        int nodes = model.threads.size();
        for (int root = 0; root <= nodes; root++) {
            State first = new State(nodes, litmus.locations(), litmus.registers());
            Arrays.fill(first.owner, root);
            for (boolean[] held : first.holds) {
                Arrays.fill(held, cached);
            }
            model.reach(first);
        }
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
        boolean hasEnded = true;
        for (int i = 0; i < state.next.length; i++) {
            if (state.next[i] < threads.get(i).size()) {
                access(state, i, threads.get(i).get(state.next[i]));
                hasEnded = false;
            }
        }
        if (hasEnded) {
            end(state);
        }
    }

    private void access(State state, int node, Access access) {
        State then = new State(state);
        int page = page(access.place());
        if (!access.isLoad()) {
            moveTo(then, node, page);
            then.whole[access.place()] = access.value();
        } else {
            if (!then.holds[node][page]) {
                copyTo(then, node, page);
            }
            int register = firstRegister[node] + loadsBefore(node, state.next[node]);
            int[] shown = then.owner[page] == node ? then.whole : then.copies[node];
            then.registers[register] = shown[access.place()];
        }
        then.next[node]++;
        reach(then);
    }

    private void moveTo(State state, int node, int page) {
        int before = state.owner[page];
        if (before != node && before < threads.size()) {
            copyTo(state, before, page);
        }
        state.owner[page] = node;
    }

    private void copyTo(State state, int node, int page) {
        state.holds[node][page] = true;
        for (int i = 0; i < state.whole.length; i++) {
            if (page(i) == page) {
                state.copies[node][i] = state.whole[i];
            }
        }
    }

    /** The barrier has fallen: the first thread loads the final values, then the last. */
    private void end(State state) {
        for (int i = 0; i < Litmus.FINAL_READERS * finals.size(); i++) {
            state.registers[loads + i] = state.whole[finals.get(i % finals.size())];
        }
        outcomes.add(Litmus.outcome(state.registers, state.registers.length));
    }
}
