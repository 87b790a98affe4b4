package io.muninn.verify.program;

import io.muninn.verify.program.Litmus.Access;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * The oracle of lazy pages with one writer: all outcomes of a program with races, each thread on a
 * node of its own. The only release is the arrival at the barrier after all accesses, and the only
 * acquire is its departure.
 *
 * <ul>
 *   <li>The owner of a page, at first the root, has all stores to it. A store is performed there:
 *       the page moves to the node that stores, with all earlier stores.
 *   <li>A fetch returns the owner's content. A copy does not change afterwards, not even the copy
 *       that a previous owner keeps.
 *   <li>After the barrier all nodes load the owner's content.
 * </ul>
 *
 * <p>All orders of these are explored, and all placements of the root.
 */
final class SingleWriterModel extends Exploration<SingleWriterModel.State> {
    /** The state at one moment; copied for each possible next action. */
    static final class State {
        final int[] next;
        final long[] registers;
        final int[] whole; // by location: the content at the page's owner
        final int[] owner; // by page: a thread, or the number after the last
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

        /** A key that is equal for equal states. */
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
