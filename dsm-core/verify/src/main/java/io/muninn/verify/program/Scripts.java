package io.muninn.verify.program;

import java.util.ArrayList;
import java.util.List;

/** A program being written: the threads' scripts so far. */
final class Scripts {
    private final List<List<Program.Step>> scripts = new ArrayList<>();
    private int lastUnit;
    private int accesses;

    Scripts(int threads) {
        for (int i = 0; i < threads; i++) {
            scripts.add(new ArrayList<>());
        }
    }

    /** A name for operations that will stand or fall together. */
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

    /** Loads and stores so far. */
    int accesses() {
        return accesses;
    }

    /** By position of the thread in the cluster. */
    List<List<Program.Step>> all() {
        return scripts;
    }
}
