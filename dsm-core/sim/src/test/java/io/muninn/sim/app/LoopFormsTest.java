package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Loop;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Part;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import io.muninn.spi.NodeCounter;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Forms of loops in programs as users write them. Each is compared with the sequential program,
 * which has the same result, and with the program without the form, which sends more messages.
 */
@Timeout(60)
class LoopFormsTest {
    private static final int NODES = 4;

    /** Runs a program, which verifies itself, and counts its messages. */
    static long messages(Supplier<DsmProgram> program, int nodes, int threads) {
        AppResult result = AppRun.of(program, nodes).threads(threads).run();
        assertEquals(List.of(), result.failure().stream().toList());
        assertTrue(result.isGood() && result.verdict().checked(), result::toString);
        return result.nodes().stream()
                .mapToLong(each -> each.counters().get(NodeCounter.MESSAGES))
                .sum();
    }

    static long messages(Supplier<DsmProgram> program) {
        return messages(program, NODES, 1);
    }

    static void assertFewer(long ofTheForm, long byHand) {
        assertTrue(ofTheForm < byHand, ofTheForm + " messages, by hand " + byHand);
    }

    /** A stencil of seven points on a grid of fewer planes than threads. */
    private static final class Stencil implements LoopProgram {
        private static final int PLANES = 3;
        private static final int N = 24;
        private static final int SWEEPS = 4;

        @Shared(Protocol.LAZY)
        final DoubleArray now = DoubleArray.of((PLANES + 2) * N * N);

        @Shared(Protocol.LAZY)
        final DoubleArray next = DoubleArray.of((PLANES + 2) * N * N);

        final Loop<None, None> relax = Loop.each((i, j, k) -> next.set(at(i, j, k), mean(i, j, k)));
        final Loop<None, None> copy = Loop.each((i, j, k) -> now.set(at(i, j, k), next(i, j, k)));
        final Loop<None, Double> most = Loop.max((i, j, k) -> next(i, j, k));
        final Loop<Integer, None> relaxRow =
                Loop.each(
                        Integer.class,
                        (i, j) -> eachOfRow(k -> next.set(at(i, j, k), mean(i, j, k))));
        final Loop<Integer, None> copyRow =
                Loop.each(
                        Integer.class,
                        (i, j) -> eachOfRow(k -> now.set(at(i, j, k), next(i, j, k))));
        private final boolean isByHand;
        private double found;

        Stencil(boolean isByHand) {
            this.isByHand = isByHand;
        }

        private static void eachOfRow(IntConsumer cell) {
            for (int k = 1; k < N - 1; k++) {
                cell.accept(k);
            }
        }

        private static int at(int i, int j, int k) {
            return (i * N + j) * N + k;
        }

        private double next(int i, int j, int k) {
            return next.get(at(i, j, k));
        }

        private double mean(int i, int j, int k) {
            return (now.get(at(i, j, k))
                            + now.get(at(i - 1, j, k))
                            + now.get(at(i + 1, j, k))
                            + now.get(at(i, j - 1, k))
                            + now.get(at(i, j + 1, k))
                            + now.get(at(i, j, k - 1))
                            + now.get(at(i, j, k + 1)))
                    / 7;
        }

        @Override
        public void initialize(DsmNode root) {
            for (int i = 0; i < now.length(); i++) {
                now.set(i, i % 97);
            }
        }

        @Override
        public void run(Team team) {
            Band rows = new Band(1, N - 1);
            Domain inner = Domain.of(new Band(1, PLANES + 1), rows, rows);
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                if (isByHand) {
                    eachPlane(team, relaxRow);
                    eachPlane(team, copyRow);
                } else {
                    team.forEach(inner, relax);
                    team.forEach(inner, copy);
                }
            }
            found = team.reduce(inner, most);
        }

        /**
         * With loops over one range: a loop for each plane, because there are fewer planes than
         * threads.
         */
        private static void eachPlane(Team team, Loop<Integer, None> ofRows) {
            for (int i = 1; i <= PLANES; i++) {
                team.forEach(1, N - 1, ofRows, i);
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            double[] cells = new double[now.length()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = i % 97;
            }
            double expected = 0;
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                double[] before = cells.clone();
                expected = 0;
                for (int i = 1; i <= PLANES; i++) {
                    for (int j = 1; j < N - 1; j++) {
                        for (int k = 1; k < N - 1; k++) {
                            cells[at(i, j, k)] =
                                    (before[at(i, j, k)]
                                                    + before[at(i - 1, j, k)]
                                                    + before[at(i + 1, j, k)]
                                                    + before[at(i, j - 1, k)]
                                                    + before[at(i, j + 1, k)]
                                                    + before[at(i, j, k - 1)]
                                                    + before[at(i, j, k + 1)])
                                            / 7;
                            expected = Math.max(expected, cells[at(i, j, k)]);
                        }
                    }
                }
            }
            for (int i = 0; i < cells.length; i++) {
                if (now.get(i) != cells[i]) {
                    return Verdict.wrong("cell " + i + " is " + now.get(i));
                }
            }
            return found == expected ? Verdict.right("stencil") : Verdict.wrong("most " + found);
        }
    }

    /**
     * Counts keys and writes them in order.
     *
     * <p>Source: Bailey et al., "The NAS Parallel Benchmarks", RNR-94-007, section 2.3 (integer
     * sort), with fewer keys.
     */
    private static final class IntegerSort implements LoopProgram {
        private static final int KEYS = 5_000;
        private static final int BUCKETS = 1 << 16;

        @Shared(Protocol.LAZY)
        final IntArray keys = IntArray.of(KEYS);

        @Shared(Protocol.LAZY)
        final IntArray starts = IntArray.of(BUCKETS + 1); // start of each bucket, in order

        @Shared(Protocol.LAZY)
        final IntArray sorted = IntArray.of(KEYS);

        /** By hand: the counts of each thread, then those of all. */
        @Shared(Protocol.LAZY)
        final IntArray counts = IntArray.of(NODES * BUCKETS);

        final Loop<None, None> draw = Loop.each(i -> keys.set(i, key(i)));
        final Loop<None, int[]> count =
                Loop.reduce(Reduction.ofInts(Operator.SUM), None.class, (_, part) -> counted(part));
        final Loop<None, None> countApart =
                Loop.parts(
                        None.class,
                        (_, part) ->
                                counts.copyFrom(
                                        part.node().position() * BUCKETS,
                                        counted(part),
                                        0,
                                        BUCKETS));
        final Loop<None, None> addUp =
                Loop.each(bucket -> {
                    int all = 0;
                    for (int thread = 0; thread < NODES; thread++) {
                        all += counts.get(thread * BUCKETS + bucket);
                    }
                    counts.set(bucket, all);
                });
        final Loop<None, None> place =
                Loop.each(bucket -> {
                    for (int at = starts.get(bucket); at < starts.get(bucket + 1); at++) {
                        sorted.set(at, bucket);
                    }
                });
        private final boolean isByHand;

        IntegerSort(boolean isByHand) {
            this.isByHand = isByHand;
        }

        /** Approximately normally distributed: the mean of four numbers. */
        private static int key(int i) {
            Random random = new Random(314_159_265L + i);
            int sum = 0;
            for (int j = 0; j < 4; j++) {
                sum += random.nextInt(BUCKETS);
            }
            return sum / 4;
        }

        private int[] counted(Part part) {
            int[] counted = new int[BUCKETS];
            for (int i = part.from(); i < part.to(); i++) {
                counted[keys.get(i)]++;
            }
            return counted;
        }

        @Override
        public void run(Team team) {
            team.forEach(0, KEYS, draw);
            int[] all = isByHand ? byHand(team) : team.reduce(0, KEYS, count);
            int[] before = new int[BUCKETS + 1];
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                before[bucket + 1] = before[bucket] + all[bucket];
            }
            starts.copyFrom(0, before, 0, before.length);
            team.forEach(0, BUCKETS, place);
        }

        private int[] byHand(Team team) {
            team.forEach(0, KEYS, countApart);
            team.forEach(0, BUCKETS, addUp);
            int[] all = new int[BUCKETS];
            counts.copyTo(0, all, 0, BUCKETS);
            return all;
        }

        @Override
        public Verdict verify(DsmNode root) {
            int[] expected = IntStream.range(0, KEYS).map(IntegerSort::key).sorted().toArray();
            int[] found = new int[KEYS];
            sorted.copyTo(0, found, 0, KEYS);
            return Arrays.equals(expected, found)
                    ? Verdict.right("sorted")
                    : Verdict.wrong("not sorted");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void integerSort_givesWhatTheSequentialOneGives(int nodes, int threads) {
        messages(() -> new IntegerSort(false), nodes, threads);
    }

    @Test
    void histogramOf65536Buckets_sendsNoPages() {
        assertFewer(messages(() -> new IntegerSort(false)), messages(() -> new IntegerSort(true)));
    }

    /**
     * The start of each of many lists of different lengths that follow one another.
     *
     * <p>Source: Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, section 1.2: sums
     * of parts, a scan of these, and a second pass.
     */
    private static final class Offsets implements LoopProgram {
        private static final int LISTS = 10_000;

        @Shared(Protocol.LAZY)
        final LongArray lengths = LongArray.of(LISTS);

        @Shared(Protocol.LAZY)
        final LongArray starts = LongArray.of(LISTS);

        /** By hand: the sum of each thread's lengths, then of all earlier threads' lengths. */
        @Shared(Protocol.LAZY)
        final LongArray sums = LongArray.of(NODES);

        final Loop<None, None> draw = Loop.each(i -> lengths.set(i, length(i)));
        final Loop<None, Long> scan =
                Loop.longExclusiveScan(i -> lengths.get(i), (i, before) -> starts.set(i, before));
        final Loop<None, None> addUp =
                Loop.parts(
                        None.class,
                        (_, part) -> {
                            long sum = 0;
                            for (int i = part.from(); i < part.to(); i++) {
                                sum += lengths.get(i);
                            }
                            sums.set(part.node().position(), sum);
                        });
        final Loop<None, None> place =
                Loop.parts(
                        None.class,
                        (_, part) -> {
                            long before = sums.get(part.node().position());
                            for (int i = part.from(); i < part.to(); i++) {
                                starts.set(i, before);
                                before += lengths.get(i);
                            }
                        });
        private final boolean isByHand;
        private long total;

        Offsets(boolean isByHand) {
            this.isByHand = isByHand;
        }

        private static long length(int i) {
            return i * 7919L % 101;
        }

        @Override
        public void run(Team team) {
            team.forEach(0, LISTS, draw);
            if (!isByHand) {
                total = team.reduce(0, LISTS, scan);
                return;
            }
            team.forEach(0, LISTS, addUp);
            for (int thread = 0; thread < NODES; thread++) {
                long sum = sums.get(thread);
                sums.set(thread, total);
                total += sum;
            }
            team.forEach(0, LISTS, place);
        }

        @Override
        public Verdict verify(DsmNode root) {
            long before = 0;
            for (int i = 0; i < LISTS; i++) {
                if (starts.get(i) != before) {
                    return Verdict.wrong("list " + i + " begins at " + starts.get(i));
                }
                before += length(i);
            }
            return total == before ? Verdict.right("offsets") : Verdict.wrong("total " + total);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void prefixSum_givesWhatTheSequentialOneGives(int nodes, int threads) {
        messages(() -> new Offsets(false), nodes, threads);
    }

    @Test
    void sumsOfParts_needNoSharedVariable() {
        assertFewer(messages(() -> new Offsets(false)), messages(() -> new Offsets(true)));
    }

    /** A rod that cools down, in two buffers of which one is read and the other stored to. */
    private static final class Buffers implements LoopProgram {
        private static final int CELLS = 3_000;
        private static final int STEPS = 6;

        @Shared(Protocol.LAZY)
        final DoubleArray[] buffers = {DoubleArray.of(CELLS), DoubleArray.of(CELLS)};

        final List<Loop<None, None>> relax =
                List.of(
                        Loop.each(i -> buffers[1].set(i, mean(buffers[0], i))),
                        Loop.each(i -> buffers[0].set(i, mean(buffers[1], i))));
        final Loop<None, None> copy = Loop.each(i -> buffers[0].set(i, buffers[1].get(i)));
        private final boolean isByHand;

        Buffers(boolean isByHand) {
            this.isByHand = isByHand;
        }

        private static double mean(DoubleArray cells, int i) {
            return 0.5 * cells.get(i) + 0.25 * (cells.get(i - 1) + cells.get(i + 1));
        }

        @Override
        public void run(Team team) {
            for (int i = 0; i < CELLS; i++) {
                buffers[0].set(i, i % 13);
                buffers[1].set(i, i % 13);
            }
            for (int step = 0; step < STEPS; step++) {
                team.forEach(1, CELLS - 1, relax.get(isByHand ? 0 : step % 2));
                if (isByHand) {
                    team.forEach(1, CELLS - 1, copy);
                }
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            double[] cells = IntStream.range(0, CELLS).mapToDouble(i -> i % 13).toArray();
            for (int step = 0; step < STEPS; step++) {
                double[] before = cells.clone();
                for (int i = 1; i < CELLS - 1; i++) {
                    cells[i] = 0.5 * before[i] + 0.25 * (before[i - 1] + before[i + 1]);
                }
            }
            double[] found = new double[CELLS];
            buffers[0].copyTo(0, found, 0, CELLS);
            return Arrays.equals(cells, found) ? Verdict.right("rod") : Verdict.wrong("rod");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void arraysOfVariablesAndLoops_areSharedByAllNodes(int nodes, int threads) {
        messages(() -> new Buffers(false), nodes, threads);
    }

    @Test
    void twoBuffers_needNoCopy() {
        assertFewer(messages(() -> new Buffers(false)), messages(() -> new Buffers(true)));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void stencilOfThreeDimensions_givesWhatTheSequentialOneGives(int nodes, int threads) {
        messages(() -> new Stencil(false), nodes, threads);
    }

    @Test
    void stencilOfThreeDimensions_hasNoLoopForEachPlane() {
        assertFewer(messages(() -> new Stencil(false)), messages(() -> new Stencil(true)));
    }
}
