package io.muninn.verify.program;

import java.util.ArrayList;
import java.util.List;

/** A program under construction: the threads' scripts so far. */
final class Scripts {
    private final List<List<Program.Step>> scripts = new ArrayList<>();
    private int lastUnit;
    private int accesses;

    Scripts(int threads) {
        for (int i = 0; i < threads; i++) {
            scripts.add(new ArrayList<>());
        }
    }

    /** Begins a unit of operations, which a shrinker removes as a whole, and returns its number. */
    int beginUnit() {
        return ++lastUnit;
    }

    void add(int toUnit, int thread, Op op) {
        scripts.get(thread).add(new Program.Step(toUnit, op));
        if (op instanceof Op.Load || op instanceof Op.Store) {
            accesses++;
        }
    }

    void load(int toUnit, int thread, Variable variable) {
        add(toUnit, thread, new Op.Load(variable, Op.NO_REGISTER));
    }

    /** The number of loads and stores so far. */
    int accesses() {
        return accesses;
    }

    /** The scripts by position of the thread in the cluster. */
    List<List<Program.Step>> all() {
        return scripts;
    }
}
