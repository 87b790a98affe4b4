package io.muninn.apps.appbt;

import static io.muninn.apps.appbt.FlowEquations.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.Comparison;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteInts;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.SameBits;
import io.muninn.apps.Structure;
import java.util.Locale;

/**
 * The solver over shared memory. In each step threads compute the changes of points, then solve the
 * equations of lines along the first, the second and the third axis, and add the changes. Each
 * thread has a band of the lines of a phase. Barriers divide the phases, except the first two
 * solves: there a thread waits, at a condition variable for each plane, until all lines of its
 * plane are solved.
 *
 * <p>Structure. At first points lie one behind the other, from the middle of a page on, and the
 * condition variables on one page with their locks. Planes are then aligned to pages; the condition
 * variables become remote.
 *
 * <p>Class S, of 12 points and 60 steps, is compared with the published norms, and every run with
 * the sequential one, bit by bit.
 *
 * <p>Source: Kontothanassis and Scott, sections 3 and 4.3; Bailey and others, report RNR-91-002.
 */
final class AppbtProgram implements DsmProgram {
    private static final double TIME_STEP = 0.010;
    private static final int CLASS_S = 12;
    private static final int CLASS_S_STEPS = 60;

    /** Largest relative difference from a published norm. */
    private static final double TOLERANCE = 1e-8;

    private static final double[] RESIDUALS = {
        1.7034283709541311e-01,
        1.2975252070034097e-02,
        3.2527926989486055e-02,
        2.6436421275166801e-02,
        1.9211784131744430e-01
    };

    private static final double[] ERRORS = {
        4.9976913345811579e-04,
        4.5195666782961927e-05,
        7.3973765172921357e-05,
        7.3821238632439731e-05,
        8.9269630987491446e-04
    };

    /** Simple operations of the change of a point along all axes. */
    private static final int CHANGE_UNITS = 500;

    /** Simple operations of a point of a line. */
    private static final int BLOCK_UNITS = 900;

    private static final int PAGE = 4096 / Double.BYTES;

    @Shared(Protocol.LAZY)
    private final DoubleArray points;

    @Shared(Protocol.LAZY)
    private final DoubleArray changes;

    /** Lines that are solved, for each plane, in all steps so far. */
    @Shared private final IntArray solved;

    @Shared private final RemoteInts remoteSolved;

    private final int size;
    private final int steps;
    private final Structure structure;
    private final FlowGrid grid;

    AppbtProgram(int size, int steps, Structure structure) {
        this.size = size;
        this.steps = steps;
        this.structure = structure;
        boolean isAligned = structure.has(Appbt.ALIGNED);
        int dense = size * size * WIDTH;
        int start = isAligned ? 0 : PAGE / 2;
        int plane = isAligned ? Math.ceilDiv(dense, PAGE) * PAGE : dense;
        points = DoubleArray.of(start + size * plane);
        changes = DoubleArray.of(start + size * plane);
        solved = IntArray.of(size);
        remoteSolved = RemoteInts.of(size);
        grid = new FlowGrid(size, TIME_STEP, points, changes, start, plane);
    }

    @Override
    public void initialize(DsmNode root) {
        grid.initialize();
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("phase");
        if (!structure.has(Structure.REMOTE)) {
            for (int k = 1; k < size - 1; k++) {
                planeLock(node, k).guards(solved, 0, size);
            }
        }
        Band mine = Band.of(grid.lines(), node.position(), node.positions());
        double[][][] forcing = new double[mine.length()][][];
        for (int line = mine.from(); line < mine.to(); line++) {
            forcing[line - mine.from()] = grid.forcing(line);
        }
        long units = size - 2L;
        for (int step = 0; step < steps; step++) {
            for (int line = mine.from(); line < mine.to(); line++) {
                grid.change(line, forcing[line - mine.from()]);
                node.work(CHANGE_UNITS * units);
            }
            barrier.await();
            solveFirst(node, mine);
            for (int line = mine.from(); line < mine.to(); line++) {
                if (line == mine.from() || grid.plane(line) != grid.plane(line - 1)) {
                    awaitPlane(node, grid.plane(line), (step + 1) * (size - 2));
                }
                grid.solve(1, line);
                node.work(BLOCK_UNITS * units);
            }
            barrier.await();
            for (int line = mine.from(); line < mine.to(); line++) {
                grid.solve(2, line);
                node.work(BLOCK_UNITS * units);
            }
            barrier.await();
            for (int line = mine.from(); line < mine.to(); line++) {
                grid.add(line);
            }
            barrier.await();
        }
    }

    /** Solves lines along the first axis, and tells of each plane. */
    private void solveFirst(DsmNode node, Band mine) {
        int told = mine.from();
        for (int line = mine.from(); line < mine.to(); line++) {
            grid.solve(0, line);
            node.work(BLOCK_UNITS * (size - 2L));
            boolean isLast = line + 1 == mine.to();
            if (isLast || grid.plane(line + 1) != grid.plane(line)) {
                tellPlane(node, grid.plane(line), line + 1 - told);
                told = line + 1;
            }
        }
    }

    private static DsmLock planeLock(DsmNode node, int k) {
        return node.lock("plane-" + k);
    }

    private void tellPlane(DsmNode node, int k, int count) {
        DsmLock lock = planeLock(node, k);
        lock.lock();
        if (!structure.has(Structure.REMOTE)) {
            solved.set(k, solved.get(k) + count);
        }
        lock.unlock();
        if (structure.has(Structure.REMOTE)) {
            remoteSolved.getAndAdd(k, count);
        }
    }

    /** Waits until so many lines of a plane are solved, and acquires their changes. */
    private void awaitPlane(DsmNode node, int k, int count) {
        DsmLock lock = planeLock(node, k);
        if (structure.has(Structure.REMOTE)) {
            remoteSolved.awaitUntil(k, Comparison.GREATER_OR_EQUAL, count);
            lock.lock();
            lock.unlock();
            return;
        }
        while (true) {
            lock.lock();
            int now = solved.get(k);
            lock.unlock();
            if (now >= count) {
                return;
            }
        }
    }

    /** The cube after some steps on one thread, without shared memory. */
    static FlowGrid sequential(int size, int steps) {
        int plane = size * size * WIDTH;
        DoubleArray points = DoubleArray.local(size * plane);
        DoubleArray changes = DoubleArray.local(size * plane);
        FlowGrid grid = new FlowGrid(size, TIME_STEP, points, changes, 0, plane);
        grid.initialize();
        double[][][] forcing = new double[grid.lines()][][];
        for (int line = 0; line < forcing.length; line++) {
            forcing[line] = grid.forcing(line);
        }
        for (int step = 0; step < steps; step++) {
            grid.advance(forcing);
        }
        return grid;
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] all = grid.all();
        Verdict same =
                SameBits.verdict(
                        "cube of " + size + " points after " + steps + " steps",
                        all,
                        sequential(size, steps).all());
        boolean isPublished = size == CLASS_S && steps == CLASS_S_STEPS;
        return same.right() && isPublished ? verifyPublished(grid) : same;
    }

    /** Compares a cube of class S with the published norms; overwrites its changes. */
    static Verdict verifyPublished(FlowGrid grid) {
        double[] norms = new double[2 * WIDTH];
        double[] published = new double[2 * WIDTH];
        System.arraycopy(grid.residuals(), 0, norms, 0, WIDTH);
        System.arraycopy(grid.errors(), 0, norms, WIDTH, WIDTH);
        System.arraycopy(RESIDUALS, 0, published, 0, WIDTH);
        System.arraycopy(ERRORS, 0, published, WIDTH, WIDTH);
        double most = 0;
        for (int i = 0; i < norms.length; i++) {
            most = Math.max(most, Math.abs(norms[i] - published[i]) / published[i]);
        }
        String text =
                String.format(
                        Locale.ROOT,
                        "norms of class S differ from the published ones by a part of %.1e",
                        most);
        return most <= TOLERANCE ? Verdict.right(text) : Verdict.wrong(text);
    }
}
