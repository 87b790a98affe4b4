package io.muninn.verify.program;

import io.muninn.verify.program.Litmus.Access;
import java.util.Arrays;
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
final class SingleWriterModel extends Exploration<SingleWriterModel.State> {
    /** Everything that matters of a moment; copied for each thing that can happen next. */
    static final class State {
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

    private SingleWriterModel(Litmus litmus, boolean onePage) {
        super(litmus, onePage);
    }

    @Override
    String key(State state) {
        return state.key();
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean onePage, boolean cached) {
        SingleWriterModel model = new SingleWriterModel(litmus, onePage);
        int nodes = model.threads.size();
        for (int root = 0; root <= nodes; root++) {
            State first = new State(nodes, model.locations, model.registers);
            Arrays.fill(first.owner, root);
            for (boolean[] held : first.holds) {
                Arrays.fill(held, cached);
            }
            model.reach(first);
        }
        return model.explored();
    }

    @Override
    void goOn(State state) {
        boolean hasEnded = true;
        for (int i = 0; i < state.next.length; i++) {
            if (state.next[i] < threads.get(i).size()) {
                access(state, i, threads.get(i).get(state.next[i]));
                hasEnded = false;
            }
        }
        if (hasEnded) {
            end(state.registers, place -> state.whole[place]);
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
            int register = register(node, state.next[node]);
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
}
