package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ClusterScope;
import io.muninn.api.spi.ProgramRunner;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops of SPMD programs, groups, and initialization in parts, on one node of several threads. */
@Timeout(60)
class GroupTest {
    private static final int THREADS = 5;

    private static void run(DsmProgram program) {
        ProgramRunner.run(program, new SingleNodeProvider(THREADS));
    }

    @Test
    void everySchedule_runsEveryIndexOnce() {
        for (Schedule schedule :
                List.of(
                        Schedule.BLOCK,
                        Schedule.CYCLIC,
                        Schedule.chunked(3),
                        Schedule.dynamic(2),
                        Schedule.guided(1))) {
            for (Band range : List.of(new Band(7, 40), new Band(3, 4), new Band(5, 5))) {
                AtomicIntegerArray runs = new AtomicIntegerArray(50);
                run(node -> {
                    node.group().forEach(range, schedule, runs::incrementAndGet);
                    for (int i = 0; i < 50; i++) {
                        assertEquals(range.contains(i) ? 1 : 0, runs.get(i), schedule::toString);
                    }
                });
            }
        }
    }

    @Test
    void loopsOfADomain_runItsLines() {
        AtomicIntegerArray runs = new AtomicIntegerArray(4 * 10 * 10);
        Domain domain = Domain.of(new Band(1, 4), new Band(2, 9), new Band(3, 10));

        run(node ->
                node.group()
                        .forEach(
                                domain,
                                Schedule.chunked(5),
                                line -> {
                                    int row = (line.plane() * 10 + line.row()) * 10;
                                    Band columns = line.columns();
                                    for (int c = columns.from(); c < columns.to(); c++) {
                                        runs.incrementAndGet(row + c);
                                    }
                                }));

        int total = 0;
        for (int i = 0; i < runs.length(); i++) {
            int plane = i / 100;
            int row = i / 10 % 10;
            boolean isWithin = plane >= 1 && row >= 2 && row < 9 && i % 10 >= 3;
            assertEquals(isWithin ? 1 : 0, runs.get(i));
            total += runs.get(i);
        }
        assertEquals(3 * 7 * 7, total);
    }

    @Test
    void bodies_canUseNoBarrierAndNoLoop() {
        run(node -> {
            Group all = node.group();
            assertSame(all, node.group());
            all.forEach(
                    0,
                    2 * THREADS,
                    _ -> {
                        String text =
                                assertThrows(
                                                IllegalStateException.class,
                                                () -> node.barrier("mine").await())
                                        .getMessage();
                        assertEquals(
                                "the body of a loop of a group cannot take part in barrier 'mine':"
                                        + " other threads do not run it as often. The end of the"
                                        + " loop is a barrier",
                                text);
                        assertThrows(IllegalStateException.class, () -> all.forEach(0, 1, _ -> {}));
                        assertThrows(IllegalStateException.class, () -> all.split(0));
                    });
            node.barrier("mine").await(); // as ever
        });
    }

    @Test
    void exceptionOfABody_leavesTheLoopAndEndsTheRun() {
        IllegalArgumentException wrong = new IllegalArgumentException("wrong index");

        IllegalArgumentException thrown =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                run(node ->
                                        node.group()
                                                .forEach(
                                                        0,
                                                        THREADS,
                                                        i -> {
                                                            if (i == 3) {
                                                                throw wrong;
                                                            }
                                                        })));

        assertSame(wrong, thrown);
    }

    @Test
    void split_keepsOrderAndDividesAgain() {
        run(node -> {
            int self = node.position();
            Group part = node.group().split(self < 2 ? 9 : 4);
            assertEquals(self < 2 ? 2 : 3, part.positions());
            assertEquals(self < 2 ? self : self - 2, part.position());
            assertEquals(self < 2 ? 1 : 9, part.barrier().awaitSum((long) self));
            assertEquals(Band.of(100, part.position(), part.positions()), part.band(100));
            Group again = part.split(part.position() == 0 ? 0 : 1);
            assertEquals(part.position() == 0 ? 1 : part.positions() - 1, again.positions());
            Group other = node.group().split(self % 2);
            assertEquals(self % 2 == 0 ? 3 : 2, other.positions());
            assertEquals(self % 2 == 0 ? 6 : 4, (int) other.barrier().awaitSum((long) self));
            assertEquals(
                    "part -1 of a split: parts are numbered from 0",
                    assertThrows(IllegalArgumentException.class, () -> part.split(-1))
                            .getMessage());
        });
    }

    @Test
    void groupsRunLoopsAtTheSameTime_eachAsOftenAsItLikes() {
        AtomicIntegerArray runs = new AtomicIntegerArray(2);
        run(node -> {
            int parity = node.position() % 2;
            Group half = node.group().split(parity);
            for (int i = 0; i < 3 + 4 * parity; i++) {
                half.forEach(
                        new Band(0, 10), Schedule.dynamic(1), _ -> runs.incrementAndGet(parity));
            }
        });

        assertEquals(30, runs.get(0));
        assertEquals(70, runs.get(1));
    }

    /** A program whose threads fill a part each. */
    private static final class Filled implements DsmProgram {
        private final int threads = Dsm.cluster().positions();
        private final AtomicInteger sealed = new AtomicInteger();

        @Shared(Protocol.READ_ONLY)
        private final LongArray input = LongArray.of(10 * threads);

        @Shared private final LongArray other = LongArray.of(threads);

        @Override
        public void initialize(DsmNode root) {
            input.fill(7);
        }

        @Override
        public void initializePart(DsmNode node) {
            assertEquals(7, input.get(10 * node.position()));
            input.set(10 * node.position(), node.position());
            other.set(node.position(), 1);
        }

        @Override
        public void run(DsmNode node) {
            for (int i = 0; i < input.length(); i++) {
                assertEquals(i % 10 == 0 ? i / 10 : 7, input.get(i));
            }
            assertThrows(IllegalStateException.class, () -> input.set(0, 1));
            other.set(node.position(), 2);
            LongArray table =
                    node.allocateReadOnly(
                            "table",
                            LongArray.of(threads),
                            Home.CYCLIC,
                            view -> {
                                assertThrows(
                                        IllegalStateException.class,
                                        () -> node.barrier("mine").await());
                                view.set(node.position(), 3);
                            });
            for (int i = 0; i < threads; i++) {
                assertEquals(3, table.get(i));
            }
            assertEquals(
                    "store to variable table, which is READ_ONLY since initialization ended",
                    assertThrows(IllegalStateException.class, () -> table.set(0, 1)).getMessage());
            sealed.incrementAndGet();
        }
    }

    @Test
    void partsOfAllThreads_areSeenAndSealedBeforeTheyRun() {
        SingleNodeProvider provider = new SingleNodeProvider(THREADS);
        Filled program = ClusterScope.during(provider.cluster(), Filled::new);

        ProgramRunner.run(program, provider);

        assertEquals(THREADS, program.threads);
        assertEquals(THREADS, program.sealed.get());
    }

    /** A program of loops whose input all threads fill. */
    private static final class FilledLoops implements LoopProgram {
        @Shared(Protocol.READ_ONLY)
        private final LongArray input = LongArray.of(1000);

        private final Loop<None, Long> sum = Loop.longSum(i -> input.get(i));
        private final Loop<None, None> store = Loop.each(i -> input.set(i, 1));
        private long total;

        @Override
        public void initializePart(DsmNode node) {
            Band mine = node.band(1000);
            input.fill(mine.from(), mine.to(), node.position());
        }

        @Override
        public void run(Team team) {
            total = team.reduce(0, 1000, sum);
            assertThrows(LoopException.class, () -> team.forEach(0, 1000, store));
            assertThrows(
                    IllegalStateException.class, () -> team.node().group().forEach(0, 1, _ -> {}));
        }
    }

    @Test
    void partsOfAProgramOfLoops_areSeenByItsBodies() {
        FilledLoops program = new FilledLoops();

        run(program);

        assertEquals(200 * (1 + 2 + 3 + 4), program.total);
    }

    @Test
    void exceptionOfAPart_endsTheRun() {
        IllegalStateException wrong = new IllegalStateException("no input");

        IllegalStateException thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                run(
                                        new DsmProgram() {
                                            @Override
                                            public void initializePart(DsmNode node) {
                                                if (node.position() == 3) {
                                                    throw wrong;
                                                }
                                            }

                                            @Override
                                            public void run(DsmNode node) {
                                                throw new AssertionError("not all have filled");
                                            }
                                        }));

        assertSame(wrong, thrown);
    }

    @Test
    void clusterOfAProcessWithoutAnAgent_isOneNodeWithTheThreadsOfTheProperty() {
        assertEquals(new Cluster(1, 1), Dsm.cluster());
        Cluster other = new Cluster(3, 2);
        assertEquals(other, ClusterScope.during(other, Dsm::cluster));
        assertEquals(6, other.positions());
        assertEquals(
                "a cluster of 0 nodes of 1 threads: at least 1 each",
                assertThrows(IllegalArgumentException.class, () -> new Cluster(0, 1)).getMessage());
    }
}
