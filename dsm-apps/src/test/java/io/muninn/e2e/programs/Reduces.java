package io.muninn.e2e.programs;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.DoubleAt;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Reductions at barriers: every thread knows what the others contribute, computes the result by
 * itself in the documented order, and compares the bits. Stores before a reduction are seen after
 * it, and a reduction sends as many messages as the bare barrier. At the end threads come with
 * different operators, and all are told.
 */
public final class Reduces implements DsmProgram {
    private static final int ROUNDS = 60;

    /** A record of the program's own. */
    record Tour(String cities, int length) {}

    private static final Reduction<Double> SUM = Reduction.ofDouble(Operator.SUM);
    private static final Reduction<double[]> SUMS = Reduction.ofDoubles(Operator.SUM);
    private static final Reduction<Tour> SHORTEST =
            Reduction.of(
                    "shortest",
                    Tour.class,
                    (left, right) -> left.length() <= right.length() ? left : right);
    private static final Reduction<String> JOINED =
            Reduction.of("joined", String.class, (left, right) -> left + right);

    private final int processes;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray stores = LongArray.of(1024);

    /**
     * @param options the number of processes per node; 1 if there are none
     */
    public Reduces(String[] options) {
        processes = options.length == 0 ? 1 : Integer.parseInt(options[0]);
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("round");
        for (int round = 0; round < ROUNDS; round++) {
            stores.set(node.position(), round + 1);
            check(barrier.await(SUM, value(node.position(), round)), sum(node, round), "sum");
            for (int i = 0; i < node.positions(); i++) {
                if (stores.get(i) != round + 1) {
                    throw new IllegalStateException("round " + round + ": store " + i + " unseen");
                }
            }
            check(
                    barrier.await(SUM.reproducible(), value(node.position(), round)),
                    flatSum(node, round),
                    "reproducible sum");
            checkOthers(node, barrier, round);
        }
        countMessages(node, barrier);
        partOfTheThreads(node);
        differ(node);
    }

    /** In three pieces. */
    private static final int LONG = 2 * Reduction.BYTES_MAX / Double.BYTES + 1;

    private static double value(int position, int round) {
        return Math.sin(position * 37 + round) * Math.pow(10, (position * 7 + round) % 20);
    }

    /** Nodes first: the threads of all processes of a node are combined, then the nodes. */
    private double sum(DsmNode node, int round) {
        int threads = processes * node.threads();
        double sum = 0;
        for (int first = 0; first < node.positions(); first += threads) {
            double ofNode = value(first, round);
            for (int thread = 1; thread < threads; thread++) {
                ofNode += value(first + thread, round);
            }
            sum = first == 0 ? ofNode : sum + ofNode;
        }
        return sum;
    }

    private static double flatSum(DsmNode node, int round) {
        double sum = value(0, round);
        for (int i = 1; i < node.positions(); i++) {
            sum += value(i, round);
        }
        return sum;
    }

    private static void checkOthers(DsmNode node, DsmBarrier barrier, int round) {
        int position = node.position();
        int last = node.positions() - 1;
        double[] many = new double[round == 0 ? LONG : round];
        many[many.length - 1] = position;
        double[] sums = barrier.await(SUMS, many);
        check(sums[many.length - 1], last * (last + 1) / 2.0, "sum of arrays");
        check(node.max(-1.0 - position), -1, "max");
        check(node.sum(1L << position), (1L << last + 1) - 1, "sum of longs");
        DoubleAt least =
                node.reduce(
                        Reduction.ofDoubleAt(Operator.MIN), new DoubleAt(-position / 2, position));
        check(least.index(), last - last % 2, "place of the least");
        Tour shortest = node.reduce(SHORTEST, new Tour("tour " + position, 100 - position));
        check(shortest.length(), 100 - last, shortest.cities());
        StringBuilder all = new StringBuilder();
        for (int i = 0; i <= last; i++) {
            all.append(i).append(' ');
        }
        if (!barrier.await(JOINED, position + " ").contentEquals(all)) {
            throw new IllegalStateException("contributions are not in order of position");
        }
        check(barrier.await(SUMS, new double[0]).length, 0, "empty array");
    }

    private static void check(double actual, double expected, String what) {
        if (Double.doubleToRawLongBits(actual) != Double.doubleToRawLongBits(expected)) {
            throw new IllegalStateException(what + " is " + actual + ", not " + expected);
        }
    }

    private static void countMessages(DsmNode node, DsmBarrier barrier) {
        barrier.await();
        long before = node.statistics().messages();
        for (int i = 0; i < ROUNDS; i++) {
            barrier.await();
        }
        long bare = node.statistics().messages() - before;
        for (int i = 0; i < ROUNDS; i++) {
            barrier.awaitSum((double) i);
        }
        long reducing = node.statistics().messages() - before - bare;
        barrier.await(); // a sibling that went on would send messages that are counted here
        if (node.thread() == 0 && !node.isRoot() && reducing != bare) {
            throw new IllegalStateException(
                    reducing + " messages with reductions, " + bare + " without");
        }
    }

    /** Threads 0 of all nodes among themselves. */
    private static void partOfTheThreads(DsmNode node) {
        if (node.thread() == 0) {
            DsmBarrier some = node.barrier("first of each", node.nodes());
            for (int round = 0; round < ROUNDS; round++) {
                check(some.awaitSum(1L), node.nodes(), "sum of some");
            }
        }
    }

    private static void differ(DsmNode node) {
        DsmBarrier barrier = node.barrier("wrong");
        Operator mine = node.isRoot() ? Operator.MIN : Operator.MAX;
        try {
            barrier.await(Reduction.ofInt(mine), 1);
            throw new IllegalStateException("different operators were combined");
        } catch (BarrierBrokenException broken) {
            System.out.println("broken on node " + node.id() + ": " + broken.getMessage());
        }
        if (node.thread() == 0 && node.id() == 1) {
            System.out.println("again: " + node.sum(1L)); // other barriers stay whole
        } else {
            node.sum(1L);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(ROUNDS + " rounds of reductions");
    }
}
