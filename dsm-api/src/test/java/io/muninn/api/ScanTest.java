package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ProgramRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums before and up to each index. */
class ScanTest {
    private static final int N = 1000;

    private static final List<Schedule> SCHEDULES =
            List.of(
                    Schedule.BLOCK,
                    Schedule.CYCLIC,
                    Schedule.chunked(7),
                    Schedule.dynamic(64),
                    Schedule.guided(3));

    /** The sequential part. */
    private interface Main {
        void run(Team team, Scans scans);
    }

    private static final class Scans implements LoopProgram {
        final long[] longs = new long[N];
        final double[] doubles = new double[N];
        final Loop<None, Long> before =
                Loop.longExclusiveScan(i -> i * i, (i, sum) -> longs[i] = sum);
        final Loop<None, Long> upTo =
                Loop.longInclusiveScan(i -> i * i, (i, sum) -> longs[i] = sum);
        final Loop<None, Double> sines =
                Loop.inclusiveScan(i -> Math.sin(i) * 1e9, (i, sum) -> doubles[i] = sum);
        final Loop<None, Double> sinesBefore =
                Loop.exclusiveScan(i -> Math.sin(i) * 1e9, (i, sum) -> doubles[i] = sum);
        final Loop<None, Long> inPlace =
                Loop.longExclusiveScan(i -> longs[i], (i, sum) -> longs[i] = sum);
        final Loop<None, Long> wrong =
                Loop.longInclusiveScan(
                        i -> 1,
                        (i, _) -> {
                            if (i == 700) {
                                throw new IllegalStateException("full");
                            }
                        });
        final Loop<None, None> nested =
                Loop.parts(None.class, (_, part) -> part.team().reduce(3, 9, inPlace()));
        private final Main main;

        Scans(Main main) {
            this.main = main;
        }

        private Loop<None, Long> inPlace() {
            return inPlace;
        }

        @Override
        public void run(Team team) {
            main.run(team, this);
        }
    }

    private static void run(int threads, Main main) {
        ProgramRunner.run(new Scans(main), new SingleNodeProvider(threads));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void sums_areThoseOfTheSequentialLoop(int threads) {
        run(
                threads,
                (team, scans) -> {
                    for (Schedule schedule : SCHEDULES) {
                        Band band = new Band(3, N - 1);
                        long all = team.reduce(band, schedule, scans.before, None.NONE);
                        long sum = 0;
                        for (int i = band.from(); i < band.to(); i++) {
                            assertEquals(sum, scans.longs[i]);
                            sum += i * i;
                        }
                        assertEquals(sum, all);
                        assertEquals(all, team.reduce(band, schedule, scans.upTo, None.NONE));
                        sum = 0;
                        for (int i = band.from(); i < band.to(); i++) {
                            sum += i * i;
                            assertEquals(sum, scans.longs[i]);
                        }
                        assertEquals(0, scans.longs[2]);
                        assertEquals(0, scans.longs[N - 1]);
                    }
                });
    }

    @Test
    void sumsOfDoubles_haveTheSameBitsUnderEveryScheduleAndOnAnyThreads() {
        List<String> found = new ArrayList<>();
        for (int threads : new int[] {1, 2, 5}) {
            run(
                    threads,
                    (team, scans) -> {
                        for (Schedule schedule : SCHEDULES) {
                            Band all = new Band(0, N);
                            double sum = team.reduce(all, schedule, scans.sines, None.NONE);
                            double[] sines = scans.doubles.clone();
                            assertEquals(sum, sines[N - 1], 1);
                            team.reduce(all, schedule, scans.sinesBefore, None.NONE);
                            for (int i = 1; i < N; i++) {
                                assertEquals(sines[i - 1], scans.doubles[i], 1e-3);
                            }
                            found.add(sum + Arrays.toString(sines));
                        }
                    });
        }

        assertEquals(1, found.stream().distinct().count());
    }

    @Test
    void values_mayBeReplacedByTheirSums() {
        run(
                3,
                (team, scans) -> {
                    Arrays.fill(scans.longs, 2);
                    assertEquals(2L * N, team.reduce(0, N, scans.inPlace));
                    assertEquals(2L * (N - 1), scans.longs[N - 1]);
                    Arrays.fill(scans.longs, 1);
                    team.forEach(0, 1, scans.nested);
                    assertEquals(5, scans.longs[8]);
                    assertEquals(1, scans.longs[9]);
                });
    }

    @Test
    void emptyRangeAndExceptions_areThoseOfALoop() {
        run(
                2,
                (team, scans) -> {
                    assertEquals(0L, team.reduce(5, 5, scans.before));
                    assertTrue(
                            assertThrows(LoopException.class, () -> team.reduce(0, N, scans.wrong))
                                    .getMessage()
                                    .startsWith("loop 'wrong' failed at index 700"));
                });
    }
}
