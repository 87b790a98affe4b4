package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ProgramRunner;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops without a barrier between them, and loops whose bodies depend on each other. */
@Timeout(60)
class LoopOrderTest {
    private static final int N = 24;

    /** The sequential part. */
    private interface Main {
        void run(Team team, Loops loops);
    }

    private static final class Loops implements LoopProgram {
        final AtomicLongArray cells = new AtomicLongArray((N + 1) * (N + 1));
        final AtomicLongArray runners = new AtomicLongArray(N);
        final Loop<None, None> first =
                Loop.parts(
                        None.class,
                        (_, part) -> {
                            for (int i = part.from(); i < part.to(); i++) {
                                cells.set(i, i);
                                runners.set(i, part.node().position());
                            }
                        });
        final Loop<Integer, None> second =
                Loop.parts(
                        Integer.class,
                        (by, part) -> {
                            for (int i = part.from(); i < part.to(); i++) {
                                assertEquals(runners.get(i), part.node().position());
                                cells.set(i, by * cells.get(i));
                            }
                        });
        final Loop<None, Double> sum = Loop.sum(i -> cells.get(i));
        final Loop<None, None> wrong =
                Loop.each(i -> {
                    if (i == 1) {
                        throw new IllegalStateException("no " + i);
                    }
                });
        final Loop<byte[], None> large = Loop.each(byte[].class, (_, _) -> {});

        /** Counts the ways to a cell that lead right and down. */
        final Loop<Integer, None> paths =
                Loop.each(
                        Integer.class,
                        (wrong, i, j) -> {
                            if (wrong == i * N + j) {
                                throw new IllegalStateException("blocked");
                            }
                            long above = cells.get(at(i - 1, j));
                            long left = cells.get(at(i, j - 1));
                            cells.set(at(i, j), (above + left) % 1_000_003);
                        });

        final Loop<None, None> nested = Loop.parts(None.class, (_, part) -> nested(part.team()));
        private final Main main;

        Loops(Main main) {
            this.main = main;
        }

        private void nested(Team team) {
            clear();
            team.wavefront(domain(N, N), paths, -1);
            team.nowait(() -> team.forEach(0, N, first));
        }

        static int at(int i, int j) {
            return i * (N + 1) + j;
        }

        static Domain domain(int rows, int columns) {
            return Domain.of(new Band(1, rows + 1), new Band(1, columns + 1));
        }

        void clear() {
            for (int i = 0; i < cells.length(); i++) {
                cells.set(i, 0);
            }
            for (int j = 1; j <= N; j++) {
                cells.set(at(0, j), 1);
            }
        }

        /** Compares with the sequential loop. */
        void check(int rows, int columns) {
            long[] expected = new long[cells.length()];
            for (int j = 1; j <= N; j++) {
                expected[at(0, j)] = 1;
            }
            for (int i = 1; i <= rows; i++) {
                for (int j = 1; j <= columns; j++) {
                    expected[at(i, j)] =
                            (expected[at(i - 1, j)] + expected[at(i, j - 1)]) % 1_000_003;
                }
            }
            long[] found = new long[expected.length];
            Arrays.setAll(found, cells::get);
            assertArrayEquals(expected, found);
        }

        @Override
        public void run(Team team) {
            main.run(team, this);
        }
    }

    private static void run(int threads, Main main) {
        ProgramRunner.run(new Loops(main), new SingleNodeProvider(threads));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void loopsOfNowait_areRunByTheSameThreadsInOrder(int threads) {
        run(
                threads,
                (team, loops) -> {
                    for (Schedule schedule : new Schedule[] {Schedule.BLOCK, Schedule.chunked(7)}) {
                        Band band = new Band(2, N);
                        team.nowait(() -> {
                            team.forEach(band, schedule, loops.first, None.NONE);
                            team.forEach(7, 3, loops.wrong); // over an empty range
                            team.forEach(band, schedule, loops.second, 3);
                            team.nowait(() -> team.forEach(band, schedule, loops.second, 2));
                        });
                        for (int i = 2; i < N; i++) {
                            assertEquals(6L * i, loops.cells.get(i));
                        }
                    }
                    team.nowait(() -> {});
                    team.nowait(() -> {
                        team.forEach(new Band(0, N), Schedule.dynamic(3), loops.first, None.NONE);
                        team.forEach(new Band(0, N), Schedule.guided(2), loops.first, None.NONE);
                    });
                    assertEquals(N * (N - 1) / 2.0, team.reduce(0, N, loops.sum));
                });
    }

    @Test
    void mistakesInNowait_runNothing() {
        run(
                2,
                (team, loops) -> {
                    Runnable reduces =
                            () -> {
                                team.forEach(0, N, loops.first);
                                team.reduce(0, N, loops.sum);
                            };
                    assertEquals(
                            "loop 'sum' has a result, for which threads wait: start it outside"
                                    + " nowait",
                            assertThrows(IllegalStateException.class, () -> team.nowait(reduces))
                                    .getMessage());
                    Runnable waves =
                            () -> {
                                team.forEach(0, N, loops.first);
                                team.wavefront(Loops.domain(3, 3), loops.paths, -1);
                            };
                    assertEquals(
                            "loop 'paths' is a wavefront, for which threads wait: start it outside"
                                    + " nowait",
                            assertThrows(IllegalStateException.class, () -> team.nowait(waves))
                                    .getMessage());
                    Runnable largeOnes =
                            () -> {
                                team.forEach(0, N, loops.first);
                                team.forEach(0, 1, loops.large, new byte[40_000]);
                                team.forEach(0, 1, loops.large, new byte[40_000]);
                            };
                    String text =
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> team.nowait(largeOnes))
                                    .getMessage();
                    assertTrue(text.startsWith("3 loops of nowait with parameters of 8"), text);
                    assertTrue(text.endsWith("more than 65536, up to loop 'large'"), text);
                    assertEquals(0.0, team.reduce(0, N, loops.sum));
                    LoopException thrown =
                            assertThrows(
                                    LoopException.class,
                                    () ->
                                            team.nowait(() -> {
                                                team.forEach(0, N, loops.first);
                                                team.forEach(0, N, loops.wrong);
                                                team.forEach(0, N, loops.second, 2);
                                            }));
                    assertTrue(
                            thrown.getMessage().startsWith("loop 'wrong' failed at index 1, "),
                            thrown::getMessage);
                    assertEquals(1, loops.cells.get(1)); // its thread ended there
                    assertEquals(2 * (N - 1), loops.cells.get(N - 1));
                });
    }

    @ParameterizedTest
    @CsvSource({"1, 24, 24", "3, 24, 24", "3, 2, 24", "4, 24, 1", "4, 1, 1", "5, 7, 3"})
    void wavefront_givesWhatTheSequentialLoopGives(int threads, int rows, int columns) {
        run(
                threads,
                (team, loops) -> {
                    for (int round = 0; round < 2; round++) {
                        loops.clear();
                        team.wavefront(Loops.domain(rows, columns), loops.paths, -1);
                        loops.check(rows, columns);
                    }
                    team.wavefront(Loops.domain(0, columns), loops.paths, -1);
                });
    }

    @Test
    void bodyOfAWavefrontThatThrows_endsItAndTheTeamGoesOn() {
        run(
                3,
                (team, loops) -> {
                    loops.clear();
                    LoopException thrown =
                            assertThrows(
                                    LoopException.class,
                                    () ->
                                            team.wavefront(
                                                    Loops.domain(N, N), loops.paths, 12 * N + 10));
                    assertTrue(
                            thrown.getMessage()
                                    .startsWith("loop 'paths' failed at index (12, 10), on node 0"),
                            thrown::getMessage);
                    assertEquals(0, thrown.getSuppressed().length);
                    assertEquals(0, loops.cells.get(Loops.at(N, 10)));
                    loops.clear();
                    team.wavefront(Loops.domain(N, N), loops.paths, -1);
                    loops.check(N, N);
                    team.forEach(0, 1, loops.nested);
                    assertEquals(
                            "loop 'paths' cannot be run as a wavefront over 0 to 3: its body and"
                                    + " the domain must have two indices",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () ->
                                                    team.wavefront(
                                                            Domain.of(new Band(0, 3)),
                                                            loops.paths,
                                                            -1))
                                    .getMessage());
                    assertEquals(
                            "loop 'sum' has a result, a sum of double, which wavefront would"
                                    + " discard: call reduce",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () ->
                                                    team.wavefront(
                                                            Loops.domain(3, 3), cast(loops.sum)))
                                    .getMessage());
                });
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // as other languages may
    private static Loop<None, None> cast(Loop<None, Double> loop) {
        return (Loop) loop;
    }
}
