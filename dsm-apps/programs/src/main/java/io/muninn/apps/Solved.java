package io.muninn.apps;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A version of a program without shared variables: its results are on the heap of the root.
 *
 * <p><b>Threads.</b> As of any program; the results are of the root's first thread.
 */
public final class Solved implements DsmProgram {
    private final Function<DsmNode, double[]> solve;
    private final BiFunction<DsmNode, double[], Verdict> verify;

    /** Of the root's first thread, from the run on. */
    private double[] results = {};

    /**
     * @param solve one thread's part, called on every thread; what it returns to the root's first
     *     thread are the results
     * @param verify judges these, on the root
     */
    public Solved(
            Function<DsmNode, double[]> solve, BiFunction<DsmNode, double[], Verdict> verify) {
        this.solve = solve;
        this.verify = verify;
    }

    /** A version that computes on the root's first thread alone. */
    public static Solved onOneThread(
            Function<DsmNode, double[]> solve, BiFunction<DsmNode, double[], Verdict> verify) {
        return new Solved(node -> node.position() == 0 ? solve.apply(node) : new double[0], verify);
    }

    @Override
    public void run(DsmNode node) {
        double[] mine = solve.apply(node);
        if (node.position() == 0) {
            results = mine;
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return verify.apply(root, results);
    }
}
