package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.ByteArray;
import io.muninn.api.Domain;
import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleCube;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.FloatArray;
import io.muninn.api.FloatCube;
import io.muninn.api.FloatMatrix;
import io.muninn.api.Home;
import io.muninn.api.IntArray;
import io.muninn.api.IntMatrix;
import io.muninn.api.LongArray;
import io.muninn.api.LongMatrix;
import io.muninn.api.Loop;
import io.muninn.api.LoopException;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.ShortArray;
import io.muninn.api.StructArray;
import io.muninn.api.Team;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Variables that the sequential part of a program of loops allocates. */
@Timeout(60)
class TeamAllocationTest {
    private static final int N = 1000;

    private static final class Allocating implements LoopProgram {
        @Nullable LongArray values;
        @Nullable DoubleMatrix grid;
        @Nullable SharedVariable any;
        @Nullable StructArray structs;
        final @Nullable LongArray fixed = null;

        final Loop<None, None> fill = Loop.each(i -> values().set(i, 3L * i));
        final Loop<None, Long> sum = Loop.longSum(i -> values().get(i));
        final Loop<None, None> square = Loop.each((i, j) -> grid().set(i, j, i * 10.0 + j));
        final Loop<None, None> inBody =
                Loop.parts(
                        None.class,
                        (_, part) ->
                                part.team().allocate("values", LongArray.of(1), Protocol.LAZY));

        private LongArray values() {
            return values;
        }

        private DoubleMatrix grid() {
            return grid;
        }

        @Override
        public void run(Team team) {
            LongArray made = team.allocate("values", LongArray.of(N), Protocol.LAZY);
            team.forEach(0, N, fill);
            for (int i = 0; i < N; i++) {
                assertEquals(3L * i, made.get(i));
            }
            team.allocate("grid", DoubleMatrix.of(4, 6), Protocol.HOME_BASED, Home.CYCLIC);
            team.forEach(Domain.of(new Band(0, 4), new Band(0, 6)), square);
            assertEquals(35.0, grid().get(3, 5));
            assertEquals(3L * N * (N - 1) / 2, team.reduce(0, N, sum));
            mistakes(team);
            assertEquals(3L * N * (N - 1) / 2, team.reduce(0, N, sum));
            sealing(team);
        }

        private void sealing(Team team) {
            team.seal("values");
            for (Runnable store :
                    List.<Runnable>of(
                            () -> values().set(0, 1),
                            () -> team.forEach(0, N, fill),
                            () -> team.nowait(() -> team.seal("values")))) {
                assertThrows(RuntimeException.class, store::run);
            }
            LoopException thrown =
                    assertThrows(LoopException.class, () -> team.forEach(N - 1, N, fill));
            assertTrue(
                    thrown.getCause().getMessage().startsWith("store to variable values"),
                    thrown::toString);
            LoopException last = assertThrows(LoopException.class, () -> team.forEach(0, N, fill));
            assertEquals(
                    team.node().positions() - 1, last.getSuppressed().length); // on every thread
            assertEquals(3L * N * (N - 1) / 2, team.reduce(0, N, sum));
            for (String name : List.of("none", "structs", "fixed")) {
                String said =
                        assertThrows(IllegalArgumentException.class, () -> team.seal(name))
                                .getMessage();
                assertTrue(said.contains("has not allocated it"), said);
            }
        }

        private void mistakes(Team team) {
            refused(team, "values", LongArray.of(N), "two regions are named values");
            refused(team, "none", LongArray.of(N), "needs a field of this name and type");
            refused(team, "fixed", LongArray.of(N), "neither static nor final");
            refused(team, "grid", LongArray.of(N), "needs a field of this name and type");
            refused(
                    team,
                    "structs",
                    StructArray.of(MemoryLayout.structLayout(ValueLayout.JAVA_INT), 4),
                    "cannot be allocated by a team: declare it");
            assertTrue(
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> team.allocate("any", IntArray.of(1), Protocol.READ_ONLY))
                            .getMessage()
                            .contains("nobody could fill it"));
            assertThrows(
                    IllegalStateException.class,
                    () -> team.allocate("any", values(), Protocol.LAZY));
            assertThrows(
                    IllegalStateException.class,
                    () -> team.nowait(() -> team.allocate("any", IntArray.of(1), Protocol.LAZY)));
            assertTrue(
                    assertThrows(LoopException.class, () -> team.forEach(0, N, inBody))
                            .getMessage()
                            .contains("is allocated in the body of loop 'inBody'"));
        }

        private static void refused(Team team, String name, SharedVariable shape, String text) {
            String said =
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> team.allocate(name, shape, Protocol.LAZY))
                            .getMessage();
            assertTrue(said.contains(text), said);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "2, 1", "3, 2"})
    void variable_isInTheFieldOnEveryNode(int nodes, int threads) {
        AppResult result = AppRun.of(Allocating::new, nodes).threads(threads).run();

        assertEquals(List.of(), result.failure().stream().toList());
    }

    /** Of each type that a team can allocate. */
    private static final class Types implements LoopProgram {
        @Nullable ByteArray bytes;
        @Nullable ShortArray shorts;
        @Nullable IntArray ints;
        @Nullable FloatArray floats;
        @Nullable DoubleArray doubles;
        @Nullable IntMatrix intMatrix;
        @Nullable LongMatrix longMatrix;
        @Nullable FloatMatrix floatMatrix;
        @Nullable DoubleCube doubleCube;
        @Nullable FloatCube floatCube;

        final Loop<None, Long> lengths =
                Loop.longSum(i ->
                        bytes.length()
                                + shorts.length()
                                + ints.length()
                                + floats.length()
                                + doubles.length()
                                + 10 * intMatrix.rows()
                                + 100 * longMatrix.columns()
                                + 1000 * floatMatrix.rows()
                                + 10_000 * doubleCube.planes()
                                + 100_000 * floatCube.columns());

        @Override
        public void run(Team team) {
            team.allocate("bytes", ByteArray.of(1), Protocol.LAZY);
            team.allocate("shorts", ShortArray.of(20), Protocol.WRITE_SHARED);
            team.allocate("ints", IntArray.of(300), Protocol.CONVENTIONAL);
            team.allocate("floats", FloatArray.of(4000), Protocol.MIGRATORY);
            team.allocate("doubles", DoubleArray.of(50_000), Protocol.HOME_BASED);
            team.allocate("intMatrix", IntMatrix.of(1, 7), Protocol.LAZY);
            team.allocate("longMatrix", LongMatrix.of(7, 1), Protocol.LAZY);
            team.allocate("floatMatrix", FloatMatrix.of(2, 7), Protocol.LAZY);
            team.allocate("doubleCube", DoubleCube.of(3, 7, 8), Protocol.LAZY);
            team.allocate("floatCube", FloatCube.of(8, 7, 2), Protocol.LAZY);
            assertEquals(4 * (54_321L + 232_110), team.reduce(0, 4, lengths));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2"})
    void everyType_canBeAllocated(int nodes, int threads) {
        AppResult result = AppRun.of(Types::new, nodes).threads(threads).run();

        assertEquals(List.of(), result.failure().stream().toList());
    }
}
