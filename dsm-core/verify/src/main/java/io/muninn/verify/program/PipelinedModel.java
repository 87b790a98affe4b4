package io.muninn.verify.program;

import io.muninn.verify.program.Litmus.Access;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * The oracle of pipelined pages: all outcomes of a program with races, each thread on a node of its
 * own. From Munin §7.1 and the table of {@link io.muninn.coherence.invalidate.PipelinedInvalidate}:
 * there is one memory, and a page may have one writer. Only its own node sees its stores until all
 * other copies have ended.
 *
 * <ul>
 *   <li>A node fetches a copy when the page has no writer, and then sees the memory.
 *   <li>A store makes its node the page's writer; another node's store waits until the page has
 *       none. A node with an earlier copy still loads from it the values in memory.
 *   <li>At any time after a store, in a single action, the writer's page becomes the memory, every
 *       other copy ends, and the page has no writer.
 *   <li>An arrival at the barrier after all accesses waits until its node is the writer of no page.
 * </ul>
 *
 * <p>All orders of these are explored. Copies that end one after the other are not distinguished: a
 * node whose copy has ended early waits, which is equivalent to a slow node.
 */
final class PipelinedModel extends Exploration<PipelinedModel.State> {
    private static final int NOBODY = -1;

    /** The state at one moment; copied for each possible next action. */
    static final class State {
        final int[] next;
        final long[] registers;
        final int[] memory; // by location
        final int[] stored; // by location, as the page's writer sees it
        final int[] writer; // by page
        final boolean[][] holds; // by node and page

        State(int nodes, int locations, int registers) {
            next = new int[nodes];
            this.registers = new long[registers];
            memory = new int[locations];
            stored = new int[locations];
            writer = new int[locations];
            holds = new boolean[nodes][locations];
            Arrays.fill(writer, NOBODY);
        }

        State(State from) {
            next = from.next.clone();
            registers = from.registers.clone();
            memory = from.memory.clone();
            stored = from.stored.clone();
            writer = from.writer.clone();
            holds = Arrays.stream(from.holds).map(boolean[]::clone).toArray(boolean[][]::new);
        }

        /** A key that is equal for equal states. */
        String key() {
            return Arrays.toString(next)
                    + Arrays.toString(registers)
                    + Arrays.toString(memory)
                    + Arrays.toString(stored)
                    + Arrays.toString(writer)
                    + Arrays.deepToString(holds);
        }
    }

    private PipelinedModel(Litmus litmus, boolean onePage) {
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
        PipelinedModel model = new PipelinedModel(litmus, onePage);
        State first = new State(model.threads.size(), model.locations, model.registers);
        for (boolean[] held : first.holds) {
            Arrays.fill(held, cached);
        }
        model.reach(first);
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
        for (int page = 0; page < locations; page++) {
            if (state.writer[page] != NOBODY) {
                perform(state, page);
                hasEnded = false;
            }
        }
        if (hasEnded) {
            end(state.registers, place -> state.memory[place]);
        }
    }

    private void access(State state, int node, Access access) {
        int page = page(access.place());
        boolean hasWriter = state.writer[page] != NOBODY;
        if (access.isLoad() && !state.holds[node][page]) {
            if (!hasWriter) {
                State then = new State(state);
                then.holds[node][page] = true;
                reach(then);
            }
        } else if (access.isLoad()) {
            State then = new State(state);
            int register = register(node, state.next[node]);
            int[] shown = state.writer[page] == node ? state.stored : state.memory;
            then.registers[register] = shown[access.place()];
            then.next[node]++;
            reach(then);
        } else if (!hasWriter || state.writer[page] == node) {
            State then = new State(state);
            then.writer[page] = node;
            then.holds[node][page] = true;
            then.stored[access.place()] = access.value();
            then.next[node]++;
            reach(then);
        }
    }

    /** The writer of a page receives the last acknowledgement. */
    private void perform(State state, int page) {
        State then = new State(state);
        for (int i = 0; i < locations; i++) {
            if (page(i) == page) {
                then.memory[i] = then.stored[i];
            }
        }
        for (int i = 0; i < then.holds.length; i++) {
            then.holds[i][page] = i == then.writer[page];
        }
        then.writer[page] = NOBODY;
        reach(then);
    }
}
