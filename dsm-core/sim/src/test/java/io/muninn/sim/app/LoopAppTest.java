package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.LongArray;
import io.muninn.api.LongAt;
import io.muninn.api.Loop;
import io.muninn.api.LoopException;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.Schedule;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parallel loops of programs in a simulation. */
@Timeout(60)
class LoopAppTest {
    private static final int N = 600;
    private static final int ROUNDS = 10;
    private static final long UNITS = 1_000_000;

    private static final List<Schedule> SCHEDULES =
            List.of(
                    Schedule.BLOCK,
                    Schedule.CYCLIC,
                    Schedule.chunked(16),
                    Schedule.dynamic(50),
                    Schedule.guided(20));

    /** The sequential part. */
    private interface Main {
        void run(Team team, Loops loops) throws Exception;
    }

    record Factor(long by) {}

    private static final class Loops implements LoopProgram {
        @Shared(Protocol.WRITE_SHARED)
        final LongArray values = LongArray.of(N);

        final Loop<Factor, None> multiply =
                Loop.each(Factor.class, (f, i) -> values.set(i, values.get(i) * f.by() + i));
        final Loop<None, Double> total = Loop.sum(i -> Math.sqrt(values.get(i)));
        final Loop<Factor, LongAt> nearest =
                Loop.longArgMin(Factor.class, (f, i) -> Math.abs(values.get(i) - f.by()));
        final Loop<None, None> nothing = Loop.parts(None.class, (_, _) -> {});
        final Loop<None, None> charged = nothing.charging(UNITS);
        final Loop<None, None> meets =
                Loop.parts(None.class, (_, part) -> part.node().barrier("b").await());
        final Loop<None, double[]> uneven =
                Loop.reduce(
                        Reduction.ofDoubles(Operator.SUM),
                        None.class,
                        (_, part) -> new double[part.range().length()]);
        final Loop<None, None> wrong =
                Loop.each(i -> {
                    if (i == N - 1) {
                        throw new IllegalStateException("no " + i);
                    }
                });
        final Loop<Boolean, None> leaves =
                Loop.parts(
                        Boolean.class,
                        (throwing, part) -> {
                            part.node().lock("total").lock();
                            values.set(0, values.get(0) + 1);
                            if (throwing) {
                                throw new IllegalStateException("enough");
                            }
                        });
        final Loop<None, None> goesOnReading =
                Loop.parts(
                        None.class,
                        (_, part) -> {
                            DsmReadWriteLock table = part.node().readWriteLock("table");
                            table.writeLock().lock();
                            table.readLock().lock();
                        });
        final Loop<None, None> nests =
                Loop.parts(
                        None.class,
                        (_, part) -> {
                            DsmLock lock = part.node().lock("total");
                            lock.lock();
                            try {
                                part.team().forEach(0, 1, nothing());
                            } finally {
                                lock.unlock();
                            }
                        });
        private final Main main;

        private Loop<None, None> nothing() {
            return nothing;
        }

        Loops(Main main) {
            this.main = main;
        }

        @Override
        public void run(Team team) throws Exception {
            main.run(team, this);
        }
    }

    /** A program of one loop, which nodes may declare differently. */
    private record OneLoop(Loop<None, Double> total, List<String> said) implements LoopProgram {
        @Override
        public void run(Team team) {
            said.add(
                    assertThrows(LoopException.class, () -> team.reduce(0, N, total)).getMessage());
        }
    }

    /** A program of another loop with the same result. */
    private record OtherLoop(Loop<None, Double> other) implements LoopProgram {
        @Override
        public void run(Team team) {}
    }

    /** A program with barriers and no loop. */
    private record Barriers() implements DsmProgram {
        @Override
        public void run(DsmNode node) {
            for (int i = 0; i < ROUNDS; i++) {
                node.barrier("b").await();
            }
        }
    }

    private static AppResult run(int nodes, int threads, Main main) {
        AppResult result = AppRun.of(() -> new Loops(main), nodes).threads(threads).run();
        assertEquals(List.of(), result.failure().stream().toList());
        return result;
    }

    private static long messages(AppResult result) {
        return result.nodes().stream()
                .mapToLong(each -> each.counters().get(NodeCounter.MESSAGES))
                .sum();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "2, 1", "3, 2", "4, 3", "16, 1"})
    void loopsAndSequentialParts_seeEachOthersStores(int nodes, int threads) {
        Set<Long> bits = new LinkedHashSet<>();

        run(
                nodes,
                threads,
                (team, loops) -> {
                    for (Schedule schedule : SCHEDULES) {
                        for (int i = 0; i < N; i++) {
                            loops.values.set(i, i);
                        }
                        Band all = new Band(0, N);
                        team.forEach(all, schedule, loops.multiply, new Factor(3));
                        team.forEach(all, schedule, loops.multiply, new Factor(5));
                        for (int i = 0; i < N; i++) {
                            assertEquals((i * 3L + i) * 5 + i, loops.values.get(i));
                        }
                        long there = (301 * 3L + 301) * 5 + 301;
                        assertEquals(
                                new LongAt(1, 301),
                                team.reduce(all, schedule, loops.nearest, new Factor(there + 1)));
                        double total = team.reduce(all, schedule, loops.total, None.NONE);
                        bits.add(Double.doubleToRawLongBits(total));
                    }
                });

        assertEquals(1, bits.size());
    }

    @Test
    void emptyLoop_sendsTheMessagesOfABarrier() {
        AppResult none = run(4, 1, (_, _) -> {});
        AppResult loops =
                run(
                        4,
                        1,
                        (team, program) -> {
                            for (int i = 0; i < ROUNDS; i++) {
                                team.forEach(0, N, program.nothing);
                                team.forEach(7, 7, program.nothing); // sends nothing
                            }
                        });
        AppResult barriers = AppRun.of(Barriers::new, 4).run();

        long ofBarriers = messages(barriers) - messages(AppRun.of(() -> _ -> {}, 4).run());
        assertEquals(2L * 3 * ROUNDS, ofBarriers);
        assertEquals(ofBarriers, messages(loops) - messages(none));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "2, 3"})
    void mistakesOfPrograms_areRefusedOnAnyNumberOfThreads(int nodes, int threads) {
        run(
                nodes,
                threads,
                (team, loops) -> {
                    LoopException inBody =
                            assertThrows(
                                    LoopException.class, () -> team.forEach(0, N, loops.meets));
                    assertTrue(
                            inBody.getCause()
                                    .getMessage()
                                    .startsWith("the body of loop 'meets' cannot take part in"),
                            inBody::getMessage);
                    assertEquals(nodes * threads - 1, inBody.getSuppressed().length);
                    assertThrows(
                            IllegalStateException.class, () -> team.node().barrier("b").await());
                    if (nodes * threads > 1) {
                        assertThrows(
                                IllegalStateException.class,
                                () -> team.reduce(0, N + 1, loops.uneven));
                    }
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> team.forEach(-1, N, loops.nothing));
                    team.forEach(N, N - 1, loops.wrong); // over no index
                    assertEquals(0.0, team.reduce(N, 0, loops.total));
                });
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "2, 2"})
    void lockThatABodyLeavesHeld_isNamedAndReleased(int nodes, int threads) {
        run(
                nodes,
                threads,
                (team, loops) -> {
                    Schedule chunks = Schedule.dynamic(N / 10);
                    LoopException left =
                            assertThrows(
                                    LoopException.class,
                                    () ->
                                            team.forEach(
                                                    new Band(0, N), chunks, loops.leaves, false));
                    String text = left.getMessage();
                    assertTrue(
                            text.contains(
                                    "the body of loop 'leaves' ends on node "
                                            + left.node()
                                            + " with lock 'total' held"),
                            text);
                    LoopException thrown =
                            assertThrows(
                                    LoopException.class,
                                    () -> team.forEach(0, N, loops.leaves, true));
                    assertEquals("enough", thrown.getCause().getMessage());
                    assertTrue(
                            thrown.getCause()
                                    .getSuppressed()[0]
                                    .getMessage()
                                    .contains("with lock 'total' held"));
                    assertTrue(loops.values.get(0) >= nodes * threads);
                    team.node().lock("total").lock(); // is free, and may be held across a loop
                    team.forEach(0, N, loops.nothing);
                    team.node().lock("total").unlock();
                    team.forEach(0, N, loops.nests); // which holds it across an inner loop
                });
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2"})
    void bothLocksThatABodyLeavesHeld_areNamedAndReleased(int nodes, int threads) {
        run(
                nodes,
                threads,
                (team, loops) -> {
                    LoopException left =
                            assertThrows(
                                    LoopException.class,
                                    () -> team.forEach(0, N, loops.goesOnReading));
                    String text = left.getMessage();
                    assertTrue(
                            text.contains(
                                    " with the read lock of 'table', the write lock of 'table'"
                                            + " held, which it has locked"),
                            text);
                    Lock write = team.node().readWriteLock("table").writeLock();
                    write.lock(); // nobody holds it
                    write.unlock();
                });
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void loopThatCharges_takesTheTimeOfItsIndices(int nodes, int threads) {
        AppResult free = run(nodes, threads, (team, loops) -> team.forEach(0, N, loops.nothing));
        AppResult charged = run(nodes, threads, (team, loops) -> team.forEach(0, N, loops.charged));

        long unitsEach = UNITS * N / (nodes * threads);
        double seconds = unitsEach * MachineModel.LOOPBACK.workPicos() * 1e-12;
        assertEquals(seconds, charged.seconds() - free.seconds(), 0.01 * seconds);
    }

    /** Arrives at a barrier where no other thread runs. */
    private record Lonely(List<String> said) implements DsmProgram {
        private void meet(DsmNode root) {
            said.add(
                    assertThrows(IllegalStateException.class, () -> root.barrier("b").await())
                            .getMessage());
        }

        @Override
        public void initialize(DsmNode root) {
            meet(root);
        }

        @Override
        public void run(DsmNode node) {
            node.barrier("b").await();
        }

        @Override
        public Verdict verify(DsmNode root) {
            meet(root);
            return Verdict.right("alone");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2"})
    void barrierOfInitializeOrVerify_isRefused(int nodes, int threads) {
        List<String> said = new ArrayList<>();

        AppResult result = AppRun.of(() -> new Lonely(said), nodes).threads(threads).run();

        assertEquals(List.of(), result.failure().stream().toList());
        assertEquals(
                List.of(
                        "initialize cannot take part in barrier 'b': no other thread runs",
                        "verify cannot take part in barrier 'b': no other thread runs"),
                said);
    }

    /** The root's messages on a loop, if the last of three nodes has another program. */
    private static List<String> said(DsmProgram last) {
        List<String> said = new ArrayList<>();
        Loop<None, Double> sum = Loop.sum(i -> i);
        Iterator<DsmProgram> programs =
                List.of(new OneLoop(sum, said), new OneLoop(sum, said), last).iterator();
        AppResult result = AppRun.of(programs::next, 3).run();
        assertEquals(List.of(), result.failure().stream().toList());
        return said;
    }

    @Test
    void nodeThatDeclaresOtherLoops_isNamed() {
        String because =
                "loop 'total' failed at index 0, on node 2, thread 0: java.lang.IllegalStateException:"
                        + " node 2 declares other loops than the root: ";

        assertEquals(
                List.of(because + "[other (io.muninn.api.None, sum of double)]"),
                said(new OtherLoop(Loop.sum(i -> i))));
        assertEquals(
                List.of(because + "[total (io.muninn.api.None, max of double)]"),
                said(new OneLoop(Loop.max(i -> i), new ArrayList<>())));
    }

    @Test
    void exceptionOnAnotherNode_reachesTheSequentialPart() {
        List<String> said = new ArrayList<>();

        run(
                3,
                1,
                (team, loops) -> {
                    LoopException thrown =
                            assertThrows(
                                    LoopException.class, () -> team.forEach(0, N, loops.wrong));
                    said.add(thrown.getMessage());
                    assertEquals(2, thrown.node());
                    assertEquals(N - 1, thrown.index());
                    assertTrue(thrown.getCause() instanceof IllegalStateException);
                    team.forEach(0, N, loops.multiply, new Factor(1));
                    assertEquals(N - 1, loops.values.get(N - 1));
                });

        assertEquals(
                List.of(
                        "loop 'wrong' failed at index 599, on node 2, thread 0:"
                                + " java.lang.IllegalStateException: no 599"),
                said);
    }
}
