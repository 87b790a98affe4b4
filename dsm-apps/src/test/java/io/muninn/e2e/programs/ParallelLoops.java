package io.muninn.e2e.programs;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.LongAt;
import io.muninn.api.Loop;
import io.muninn.api.LoopException;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Schedule;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import java.util.Arrays;
import java.util.List;

/**
 * A stencil on a rod as parallel loops under every schedule, beside the sequential program on the
 * root's heap: the same bits. Scans, wavefronts and other forms give what they should. An exception
 * of a body reaches the sequential part, a barrier in a body is refused though every thread has a
 * share, a lock that a body leaves held is released, and the team goes on.
 */
public final class ParallelLoops implements LoopProgram {
    private static final int CELLS = 3000;
    private static final int SWEEPS = 20;
    private static final int BUCKETS = 1 << 16; // in several pieces
    private static final int PATHS = 33;

    private static final List<Schedule> SCHEDULES =
            List.of(
                    Schedule.BLOCK,
                    Schedule.CYCLIC,
                    Schedule.chunked(100),
                    Schedule.dynamic(300),
                    Schedule.guided(200));

    /** How much of each neighbour a cell takes. */
    record Weights(double self, double neighbour) {}

    @Shared(Protocol.WRITE_SHARED)
    final DoubleArray now = DoubleArray.of(CELLS);

    @Shared(Protocol.WRITE_SHARED)
    final DoubleArray next = DoubleArray.of(CELLS);

    final Loop<Weights, None> relax =
            Loop.each(
                    Weights.class,
                    (w, i) ->
                            next.set(
                                    i,
                                    w.self() * now.get(i)
                                            + w.neighbour() * (now.get(i - 1) + now.get(i + 1))));

    final Loop<None, None> copy =
            Loop.parts(
                    None.class,
                    (_, part) -> {
                        for (int i = part.from(); i < part.to(); i++) {
                            now.set(i, next.get(i));
                        }
                    });

    final Loop<None, Double> heat = Loop.sum(i -> now.get(i));

    final Loop<None, None> fails =
            Loop.each(i -> {
                if (i == CELLS - 1) {
                    throw new IllegalStateException("cell " + i);
                }
            });

    final Loop<None, None> meets =
            Loop.parts(None.class, (_, part) -> part.node().barrier("meeting").await());

    @Shared(Protocol.WRITE_SHARED)
    final LongArray[] counts = {LongArray.of(CELLS), LongArray.of(PATHS * PATHS)};

    final Loop<None, None> ones = Loop.each(i -> counts[0].set(i, 1));
    final List<Loop<Long, None>> multiply =
            List.of(
                    Loop.each(Long.class, (by, i) -> counts[0].set(i, by * counts[0].get(i))),
                    Loop.each(Long.class, (by, i) -> counts[1].set(i, by)));
    private LongArray later; // allocated by run
    final Loop<None, None> fillLater = Loop.each(i -> later.set(i, 2L * i));
    final Loop<None, Long> sumOfLater = Loop.longSum(i -> later.get(i));
    final Loop<None, Long> scan =
            Loop.longExclusiveScan(i -> counts[0].get(i), (i, sum) -> counts[0].set(i, sum));
    final Loop<None, LongAt> last = Loop.longArgMax(i -> counts[0].get(i));
    final Loop<None, None> paths = Loop.each((row, column) -> countPaths(row, column));
    final Loop<None, Double> worst = Loop.max((row, column) -> countOfPaths(row, column));
    final Loop<None, int[]> histogram =
            Loop.reduce(
                    Reduction.ofInts(Reduction.Operator.SUM),
                    None.class,
                    (_, part) -> {
                        int[] counted = new int[BUCKETS];
                        for (int i = part.from(); i < part.to(); i++) {
                            counted[i * 7 % BUCKETS]++;
                        }
                        return counted;
                    });

    final Loop<None, None> locks =
            Loop.parts(None.class, (_, part) -> part.node().lock("total").lock());

    private double[] expected = new double[CELLS];

    @Override
    public void run(Team team) {
        Band inner = new Band(1, CELLS - 1);
        double heats = 0;
        for (Schedule schedule : SCHEDULES) {
            for (int i = 0; i < CELLS; i++) {
                now.set(i, Math.sin(i) * i);
                next.set(i, Math.sin(i) * i);
            }
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                double self = 0.5 + 0.01 * sweep;
                team.forEach(inner, schedule, relax, new Weights(self, (1 - self) / 2));
                team.forEach(inner, schedule, copy, None.NONE);
            }
            double sum = team.reduce(inner, schedule, heat, None.NONE);
            if (heats != 0
                    && Double.doubleToRawLongBits(sum) != Double.doubleToRawLongBits(heats)) {
                throw new IllegalStateException(schedule + " gives " + sum + ", not " + heats);
            }
            heats = sum;
            compare(schedule);
        }
        forms(team);
        try {
            team.forEach(0, CELLS, fails);
        } catch (LoopException thrown) {
            System.out.println("caught: " + thrown.getMessage());
        }
        try {
            team.forEach(0, CELLS, meets);
        } catch (LoopException thrown) {
            System.out.println("refused: " + thrown.getCause().getMessage());
        }
        try {
            team.forEach(0, CELLS, locks); // for which all threads would wait but one
        } catch (LoopException thrown) {
            System.out.println("released: " + thrown.getCause().getMessage());
        }
        team.forEach(CELLS, 0, fails); // over no index
        team.forEach(inner, Schedule.BLOCK, copy, None.NONE);
    }

    /** Of steps right and down, modulo a prime. */
    private void countPaths(int row, int column) {
        long above = counts[1].get((row - 1) * PATHS + column);
        long before = counts[1].get(row * PATHS + column - 1);
        counts[1].set(row * PATHS + column, (above + before) % 1_000_003);
    }

    private double countOfPaths(int row, int column) {
        return counts[1].get(row * PATHS + column);
    }

    /** Other forms than the stencil has. */
    private void forms(Team team) {
        team.nowait(() -> {
            team.forEach(0, CELLS, ones);
            team.forEach(0, CELLS, multiply.get(0), 3L);
            team.forEach(0, PATHS * PATHS, multiply.get(1), 1L);
        });
        check("scan", team.reduce(0, CELLS, scan), 3L * CELLS);
        check("sum before the last", counts[0].get(CELLS - 1), 3L * (CELLS - 1));
        check("place", team.reduce(0, CELLS, last).index(), CELLS - 1);
        Band inner = new Band(1, PATHS);
        team.wavefront(Domain.of(inner, inner), paths);
        long[] row = new long[PATHS];
        Arrays.fill(row, 1);
        long most = 0;
        for (int i = 1; i < PATHS; i++) {
            for (int j = 1; j < PATHS; j++) {
                row[j] = (row[j] + row[j - 1]) % 1_000_003;
                most = Math.max(most, row[j]);
            }
        }
        check("paths", counts[1].get(PATHS * PATHS - 1), row[PATHS - 1]);
        check("most paths", team.reduce(Domain.of(inner, inner), worst).longValue(), most);
        int[] counted = team.reduce(0, 2 * BUCKETS, histogram);
        team.allocate("later", LongArray.of(CELLS), Protocol.WRITE_SHARED);
        team.forEach(0, CELLS, fillLater);
        check("later", team.reduce(0, CELLS, sumOfLater), CELLS * (CELLS - 1L));
        check("buckets", Arrays.stream(counted).filter(count -> count == 2).count(), BUCKETS);
    }

    private static void check(String what, long actual, long expected) {
        if (actual != expected) {
            throw new IllegalStateException(what + " is " + actual + ", not " + expected);
        }
    }

    private void compare(Schedule schedule) {
        for (int i = 0; i < CELLS; i++) {
            if (now.get(i) != expected()[i]) {
                throw new IllegalStateException(schedule + ": cell " + i + " is " + now.get(i));
            }
        }
    }

    /** What a sequential program gives, computed once. */
    private double[] expected() {
        if (expected[1] == 0) {
            double[] cells = new double[CELLS];
            for (int i = 0; i < CELLS; i++) {
                cells[i] = Math.sin(i) * i;
            }
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                double self = 0.5 + 0.01 * sweep;
                double neighbour = (1 - self) / 2;
                double[] after = cells.clone();
                for (int i = 1; i < CELLS - 1; i++) {
                    after[i] = self * cells[i] + neighbour * (cells[i - 1] + cells[i + 1]);
                }
                cells = after;
            }
            expected = cells;
        }
        return expected;
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(SCHEDULES.size() + " schedules");
    }
}
