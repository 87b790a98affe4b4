package io.muninn.apps;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A version of a program without shared variables, whose results are on the heap of the root.
 *
 * <p><b>Threads.</b> As for any program; the root's first thread stores the results.
 */
public final class Solved implements DsmProgram {
    private final Function<DsmNode, double[]> solve;
    private final BiFunction<DsmNode, double[], Verdict> verify;

    /** Results of the root's first thread; empty before the run. */
    private double[] results = {};

    /**
     * @param solve the part of one thread, called on every thread; the value returned on the root's
     *     first thread is the result
     * @param verify verifies the results, on the root
     */
    public Solved(
            Function<DsmNode, double[]> solve, BiFunction<DsmNode, double[], Verdict> verify) {
        this.solve = solve;
        this.verify = verify;
    }

    /** A version that computes on the root's first thread only. */
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
