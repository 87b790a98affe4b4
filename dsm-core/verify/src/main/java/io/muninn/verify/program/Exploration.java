package io.muninn.verify.program;

import io.muninn.verify.program.Litmus.Access;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * Explores all states that a litmus test can reach, in any order of actions, each thread on a node
 * of its own.
 *
 * @param <S> the state at one moment
 */
abstract class Exploration<S> {
    final List<List<Access>> threads;
    final List<Integer> finals;
    final int locations;
    final int registers;
    final int loads; // before the last barrier; they have the first registers
    final TreeSet<String> outcomes = new TreeSet<>();
    private final boolean onePage;
    private final int[] firstRegister;
    private final TreeSet<String> seen = new TreeSet<>();
    private final ArrayDeque<S> open = new ArrayDeque<>();

    /**
     * @param onePage whether all locations are on one page, or each on its own
     */
    Exploration(Litmus litmus, boolean onePage) {
        this.threads = litmus.accesses(false);
        this.finals = litmus.finalPlaces();
        this.locations = litmus.locations();
        this.registers = litmus.registers();
        this.loads = litmus.loads();
        this.onePage = onePage;
        firstRegister = new int[threads.size()];
        for (int i = 1; i < firstRegister.length; i++) {
            firstRegister[i] = firstRegister[i - 1] + loadsBefore(i - 1, threads.get(i - 1).size());
        }
    }

    /** A key that is equal for equal states. */
    abstract String key(S state);

    /** Reaches every possible next state, or records the outcome. */
    abstract void goOn(S state);

    final void reach(S state) {
        if (seen.add(key(state))) {
            open.push(state);
        }
    }

    /** All outcomes of the states that have been reached. */
    final TreeSet<String> explored() {
        while (!open.isEmpty()) {
            goOn(open.pop());
        }
        return outcomes;
    }

    final int page(int location) {
        return onePage ? 0 : location;
    }

    /** The register of a thread's access, which is a load. */
    final int register(int thread, int index) {
        return firstRegister[thread] + loadsBefore(thread, index);
    }

    private int loadsBefore(int thread, int index) {
        return (int) threads.get(thread).subList(0, index).stream().filter(Access::isLoad).count();
    }

    /** After the barrier, the first thread loads the final values, then the last. */
    final void end(long[] loaded, IntUnaryOperator value) {
        for (int i = 0; i < Litmus.FINAL_READERS * finals.size(); i++) {
            loaded[loads + i] = value.applyAsInt(finals.get(i % finals.size()));
        }
        outcomes.add(Litmus.outcome(loaded, loaded.length));
    }
}
