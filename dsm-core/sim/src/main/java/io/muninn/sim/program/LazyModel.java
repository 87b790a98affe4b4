package io.muninn.sim.program;

import io.muninn.sim.program.Litmus.Access;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The oracle of what pages whose diffs remain with their writers may show to a program with races,
 * each thread on a node of its own, one of them perhaps the root; the only release is the arrival
 * at the barrier behind all accesses, and so is the only acquire.
 *
 * <ul>
 *   <li>Until then a thread sees its own stores. If it gets its first copy of a page from the root
 *       after the root's thread has arrived, it sees that thread's stores, too.
 *   <li>Behind it a location has the last value of any thread that has stored to it, on each node
 *       its own, but for those over whose stores another's are applied: the node's own, and those
 *       that came with its first copy.
 * </ul>
 */
final class LazyModel {
    private static final int NOTHING = -1;

    private final List<List<Access>> threads;
    private final List<Integer> finals;
    private final boolean onePage;
    private final boolean cached;
    private final int[] firstRegister;
    private final int[][] last; // by thread and location: what it has stored last, or NOTHING
    private final int loads;
    private final TreeSet<String> outcomes = new TreeSet<>();

    /** For each thread, how many of its accesses come before the root's thread has arrived. */
    private final int[] early;

    private int root; // the thread there, or NOTHING

    private LazyModel(Litmus litmus, boolean onePage, boolean cached) {
        this.threads = litmus.accesses(false);
        this.finals = litmus.finalPlaces();
        this.onePage = onePage;
        this.cached = cached;
        this.loads = litmus.loads();
        this.early = new int[threads.size()];
        this.firstRegister = new int[threads.size() + 1];
        this.last = new int[threads.size()][litmus.locations()];
        for (int i = 0; i < threads.size(); i++) {
            Arrays.fill(last[i], NOTHING);
            int loaded = 0;
            for (Access access : threads.get(i)) {
                if (access.isLoad()) {
                    loaded++;
                } else {
                    last[i][access.place()] = access.value();
                }
            }
            firstRegister[i + 1] = firstRegister[i] + loaded;
        }
    }

    /**
     * @param onePage whether all locations are on one page, or each on its own
     * @param cached whether every node has a copy of everything before the test begins
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean onePage, boolean cached) {
        LazyModel model = new LazyModel(litmus, onePage, cached);
        for (model.root = NOTHING; model.root < model.threads.size(); model.root++) {
            model.perform(0, new long[litmus.registers()]);
        }
        return model.outcomes;
    }

    private void perform(int thread, long[] registers) {
        if (thread == threads.size()) {
            loadFinals(registers, 0);
            return;
        }
        for (early[thread] = 0; early[thread] <= threads.get(thread).size(); early[thread]++) {
            long[] then = registers.clone();
            load(thread, then);
            perform(thread + 1, then);
        }
    }

    private void load(int thread, long[] registers) {
        int[] own = new int[last[thread].length];
        Arrays.fill(own, NOTHING);
        int register = firstRegister[thread];
        for (Access access : threads.get(thread)) {
            int place = access.place();
            if (access.isLoad()) {
                int first = hasRoots(thread, place) ? last[root][place] : NOTHING;
                registers[register] = Math.max(0, own[place] == NOTHING ? first : own[place]);
                register++;
            } else {
                own[place] = access.value();
            }
        }
    }

    /** Whether the first copy of a location that a node has got has the stores of the root. */
    private boolean hasRoots(int thread, int place) {
        if (root == NOTHING || thread == root || cached) {
            return false;
        }
        List<Access> accesses = threads.get(thread);
        for (int i = 0; i < accesses.size(); i++) {
            if (onePage || accesses.get(i).place() == place) {
                return i >= early[thread];
            }
        }
        return true; // it is fetched behind the barrier
    }

    /** The first thread loads the final values, then the last. */
    private void loadFinals(long[] registers, int loaded) {
        if (loaded == Litmus.FINAL_READERS * finals.size()) {
            outcomes.add(Litmus.outcome(registers, registers.length));
            return;
        }
        int reader = loaded < finals.size() ? 0 : threads.size() - 1;
        for (int value : finalValues(reader, finals.get(loaded % finals.size()))) {
            long[] then = registers.clone();
            then[loads + loaded] = value;
            loadFinals(then, loaded + 1);
        }
    }

    private List<Integer> finalValues(int reader, int place) {
        boolean hasRoots = hasRoots(reader, place);
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            boolean isFirst = i == reader || hasRoots && i == root;
            if (!isFirst && last[i][place] != NOTHING) {
                values.add(last[i][place]);
            }
        }
        if (!values.isEmpty()) {
            return values;
        }
        int own = last[reader][place];
        return List.of(Math.max(0, own == NOTHING && hasRoots ? last[root][place] : own));
    }
}
