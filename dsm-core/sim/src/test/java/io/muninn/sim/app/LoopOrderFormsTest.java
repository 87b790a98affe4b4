package io.muninn.sim.app;

import static io.muninn.sim.app.LoopFormsTest.assertFewer;
import static io.muninn.sim.app.LoopFormsTest.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Loop;
import io.muninn.api.LoopException;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Loops without a barrier between them, and between bodies that depend on each other, in programs
 * as users write them: see {@link LoopFormsTest}.
 */
@Timeout(60)
class LoopOrderFormsTest {
    /**
     * The best local alignment of two random sequences.
     *
     * <p>Source: Smith and Waterman, "Identification of Common Molecular Subsequences", J. Mol.
     * Biol. 147, 1981, with a linear penalty for gaps; in square tiles.
     */
    private static final class Alignment implements LoopProgram {
        private static final int TILE = 12;
        private static final int TILES = 16;
        private static final int N = TILES * TILE;
        private static final int GAP = 2;

        private final int[] left = sequence(1);
        private final int[] right = sequence(2);

        @Shared(Protocol.LAZY)
        final IntArray scores = IntArray.of((N + 1) * (N + 1));

        final Loop<None, None> tile = Loop.each((row, column) -> score(row, column));
        final Loop<Integer, None> diagonal =
                Loop.each(Integer.class, (d, row) -> score(row, d - row));
        final Loop<None, None> wrong =
                Loop.each((row, column) -> {
                    if (row == TILES / 2 && column == TILES / 2) {
                        throw new IllegalStateException("no tile");
                    }
                });
        final Loop<None, Double> best = Loop.max(i -> scores.get(i));
        private final boolean isByHand;
        private double found;

        Alignment(boolean isByHand) {
            this.isByHand = isByHand;
        }

        private static int[] sequence(int seed) {
            return new Random(seed).ints(N, 0, 4).toArray();
        }

        private static int at(int i, int j) {
            return i * (N + 1) + j;
        }

        private void score(int row, int column) {
            for (int i = row * TILE + 1; i <= (row + 1) * TILE; i++) {
                for (int j = column * TILE + 1; j <= (column + 1) * TILE; j++) {
                    int match = left[i - 1] == right[j - 1] ? 3 : -3;
                    int score = Math.max(0, scores.get(at(i - 1, j - 1)) + match);
                    score = Math.max(score, scores.get(at(i - 1, j)) - GAP);
                    scores.set(at(i, j), Math.max(score, scores.get(at(i, j - 1)) - GAP));
                }
            }
        }

        @Override
        public void run(Team team) {
            Domain tiles = Domain.of(new Band(0, TILES), new Band(0, TILES));
            if (isByHand) {
                for (int d = 0; d < 2 * TILES - 1; d++) {
                    int from = Math.max(0, d - TILES + 1);
                    team.forEach(from, Math.min(d + 1, TILES), diagonal, d);
                }
            } else {
                team.wavefront(tiles, tile);
                String place = "index (" + TILES / 2 + ", " + TILES / 2 + ")";
                String text =
                        assertThrows(LoopException.class, () -> team.wavefront(tiles, wrong))
                                .getMessage();
                assertEquals(place, text.substring(text.indexOf("index"), text.indexOf(", on")));
            }
            found = team.reduce(0, scores.length(), best);
        }

        @Override
        public Verdict verify(DsmNode root) {
            int[][] expected = new int[N + 1][N + 1];
            int most = 0;
            for (int i = 1; i <= N; i++) {
                for (int j = 1; j <= N; j++) {
                    int match = left[i - 1] == right[j - 1] ? 3 : -3;
                    int score = Math.max(0, expected[i - 1][j - 1] + match);
                    score = Math.max(score, expected[i - 1][j] - GAP);
                    expected[i][j] = Math.max(score, expected[i][j - 1] - GAP);
                    most = Math.max(most, expected[i][j]);
                    if (scores.get(at(i, j)) != expected[i][j]) {
                        return Verdict.wrong("score " + i + ", " + j);
                    }
                }
            }
            return found == most ? Verdict.right("score " + most) : Verdict.wrong("best " + found);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void alignment_givesWhatTheSequentialOneGives(int nodes, int threads) {
        messages(() -> new Alignment(false), nodes, threads);
    }

    @Test
    void wavefront_hasNoBarrierForEachDiagonal() {
        assertFewer(messages(() -> new Alignment(false)), messages(() -> new Alignment(true)));
    }

    /** A program of one loop, whose parameters not every node can read. */
    private record Waves(Loop<Fussy, None> wave, List<String> said) implements LoopProgram {
        @Override
        public void run(Team team) {
            Domain domain = Domain.of(new Band(0, 9), new Band(0, 5));
            said.add(
                    assertThrows(
                                    LoopException.class,
                                    () -> team.wavefront(domain, wave, new Fussy(1)))
                            .getMessage());
        }
    }

    /** Parameters that cannot be made twice. */
    record Fussy(int value) {
        static int made;

        Fussy {
            made++;
            if (made == 3) {
                throw new IllegalStateException("no third");
            }
        }
    }

    /** A program of another loop. */
    private record Other(Loop<None, None> other) implements LoopProgram {
        @Override
        public void run(Team team) {}
    }

    @Test
    void threadThatCannotRunAWavefront_stopsNoOtherThread() {
        List<String> said = new ArrayList<>();
        Loop<Fussy, None> wave = Loop.each(Fussy.class, (fussy, row, column) -> {});
        Fussy.made = 0;
        AppResult unreadable = AppRun.of(() -> new Waves(wave, said), 3).run();
        Fussy.made = Integer.MIN_VALUE;
        Iterator<DsmProgram> programs =
                List.<DsmProgram>of(
                                new Waves(wave, said),
                                new Other(Loop.each((row, column) -> {})),
                                new Waves(wave, said))
                        .iterator();
        AppResult others = AppRun.of(programs::next, 3).run();

        assertEquals(List.of(), unreadable.failure().stream().toList());
        assertEquals(List.of(), others.failure().stream().toList());
        assertTrue(said.get(0).endsWith("IllegalStateException: no third"), said.get(0));
        assertTrue(said.get(1).contains("node 1 declares other loops than the root"), said.get(1));
    }

    /**
     * Four loops over vectors that use the same index only.
     *
     * <p>Source: McCalpin, "Memory Bandwidth and Machine Balance in Current High Performance
     * Computers", 1995 (STREAM).
     */
    private static final class Stream implements LoopProgram {
        private static final int N = 4_000;
        private static final int ROUNDS = 5;
        private static final double FACTOR = 0.42;

        @Shared(Protocol.LAZY)
        final DoubleArray a = DoubleArray.of(N);

        @Shared(Protocol.LAZY)
        final DoubleArray b = DoubleArray.of(N);

        @Shared(Protocol.LAZY)
        final DoubleArray c = DoubleArray.of(N);

        final Loop<None, None> copy = Loop.each(i -> c.set(i, a.get(i)));
        final Loop<Double, None> scale = Loop.each(Double.class, (x, i) -> b.set(i, x * c.get(i)));
        final Loop<None, None> add = Loop.each(i -> c.set(i, a.get(i) + b.get(i)));
        final Loop<Double, None> triad =
                Loop.each(Double.class, (x, i) -> a.set(i, b.get(i) + x * c.get(i)));
        private final boolean isByHand;

        Stream(boolean isByHand) {
            this.isByHand = isByHand;
        }

        @Override
        public void run(Team team) {
            for (int i = 0; i < N; i++) {
                a.set(i, i);
            }
            for (int round = 0; round < ROUNDS; round++) {
                if (isByHand) {
                    loops(team);
                } else {
                    team.nowait(() -> loops(team));
                }
            }
        }

        private void loops(Team team) {
            team.forEach(0, N, copy);
            team.forEach(0, N, scale, FACTOR);
            team.forEach(0, N, add);
            team.forEach(0, N, triad, FACTOR);
        }

        @Override
        public Verdict verify(DsmNode root) {
            for (int i = 0; i < N; i++) {
                double expected = i;
                for (int round = 0; round < ROUNDS; round++) {
                    double scaled = FACTOR * expected;
                    expected = scaled + FACTOR * (expected + scaled);
                }
                if (a.get(i) != expected) {
                    return Verdict.wrong("element " + i + " is " + a.get(i));
                }
            }
            return Verdict.right("vectors");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void loopsWithoutABarrierBetween_giveWhatTheSequentialOnesGive(int nodes, int threads) {
        messages(() -> new Stream(false), nodes, threads);
    }

    @Test
    void loopsOfNowait_haveOneBarrier() {
        long together = messages(() -> new Stream(false));
        long loops = messages(() -> new Stream(true));

        long ofBarriers = 3L * 2 * 3 * Stream.ROUNDS; // three of four, on four nodes
        assertTrue(loops - together >= ofBarriers, together + " messages, by hand " + loops);
    }
}
