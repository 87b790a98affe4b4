package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Reduction.Operator;
import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ProgramRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parallel loops on the threads of one process. */
@Timeout(120)
class LoopProgramTest {
    private static final int N = 1000;

    private static final List<Schedule> SCHEDULES =
            List.of(
                    Schedule.BLOCK,
                    Schedule.CYCLIC,
                    Schedule.chunked(7),
                    Schedule.dynamic(1),
                    Schedule.dynamic(64),
                    Schedule.guided(3));

    private static final Domain DOMAIN = Domain.of(new Band(0, N));

    /** The sequential part. */
    private interface Main {
        void run(Team team, Loops loops) throws Exception;
    }

    record Shift(int by, String text) {}

    /** Arrays of different lengths. */
    record Joined(int[] values) {
        Joined with(Joined other) {
            int[] all = Arrays.copyOf(values, values.length + other.values.length);
            System.arraycopy(other.values, 0, all, values.length, other.values.length);
            return new Joined(all);
        }

        @Override
        public String toString() {
            return "Joined" + Arrays.toString(values);
        }
    }

    /** A program whose loops count. */
    static final class Loops implements LoopProgram {
        final AtomicIntegerArray counts = new AtomicIntegerArray(2 * N);
        final AtomicInteger sum = new AtomicInteger();
        private final Main main;
        private Team captured;
        private volatile Consumer<DsmNode> meeting = _ -> {};

        final Loop<None, None> count = Loop.each(i -> counts.incrementAndGet(i));
        final Loop<Shift, None> shifted =
                Loop.each(Shift.class, (shift, i) -> counts.addAndGet(i + shift.by(), i));
        final Loop<None, None> parts =
                Loop.parts(None.class, (_, part) -> sum.addAndGet(part.to() - part.from()));
        final Loop<None, Double> sine = Loop.sum(i -> Math.sin(i) * Math.pow(10, i % 17));
        final Loop<None, Double> most = Loop.max(i -> -Math.abs(i - 321.5));
        final Loop<None, long[]> halves =
                Loop.reduce(
                        Reduction.ofLongs(Operator.SUM),
                        None.class,
                        (_, part) -> {
                            long[] sums = new long[2];
                            for (int i = part.from(); i < part.to(); i++) {
                                sums[i % 2] += i;
                            }
                            return sums;
                        });
        final Loop<None, Integer> noSum =
                Loop.reduce(
                        Reduction.ofInt(Operator.MIN),
                        None.class,
                        (_, part) -> {
                            if (part.range().isEmpty()) {
                                throw new NoSuchElementException("the least of nothing");
                            }
                            return part.from();
                        });
        final Loop<None, DoubleAt> greatest =
                Loop.reduce(
                        Reduction.ofDoubleAt(Operator.MAX),
                        None.class,
                        (_, part) ->
                                part.range().isEmpty()
                                        ? null
                                        : new DoubleAt(part.from(), part.from()));
        final Loop<None, DoubleAt> nothing =
                Loop.reduce(Reduction.ofDoubleAt(Operator.MAX), None.class, (_, part) -> null);
        final Loop<None, double[]> uneven =
                Loop.reduce(
                        Reduction.ofDoubles(Operator.SUM),
                        None.class,
                        (_, part) -> new double[part.range().length()]);

        /** An operator of a program that has one array for each part, and may leave one out. */
        private static final Reduction<double[]> ADD =
                Reduction.of(
                        "add",
                        double[].class,
                        (left, right) -> {
                            for (int i = 0; i < left.length; i++) {
                                left[i] += right[i];
                            }
                            return left;
                        });

        final Loop<Integer, double[]> lengths =
                Loop.reduce(
                        ADD,
                        Integer.class,
                        (first, part) -> new double[part.from() == 0 ? first : 3]);
        final Loop<None, Joined> joined =
                Loop.reduce(
                        Reduction.of("join", Joined.class, Joined::with),
                        None.class,
                        (_, part) -> new Joined(new int[part.range().length()]));
        final Loop<None, Joined> broken =
                Loop.reduce(
                        Reduction.of("broken", Joined.class, (_, right) -> right.with(null)),
                        None.class,
                        (_, part) -> new Joined(new int[part.range().length()]));
        final Loop<None, None> meets =
                Loop.parts(None.class, (_, part) -> meeting.accept(part.node()));
        final Loop<None, None> wrong =
                Loop.each(i -> {
                    if (i % 100 == 77) {
                        throw new IllegalStateException("no " + i);
                    }
                });
        final Loop<None, None> nested =
                Loop.parts(None.class, (_, part) -> part.team().forEach(0, N, count()));
        final Loop<None, None> nestedByCapture = Loop.each(_ -> captured().forEach(0, N, count()));

        Loops(Main main) {
            this.main = main;
        }

        private Loop<None, None> count() {
            return count;
        }

        private Team captured() {
            return captured;
        }

        @Override
        public void run(Team team) throws Exception {
            captured = team;
            main.run(team, this);
        }
    }

    private static void run(int threads, Main main) {
        ProgramRunner.run(new Loops(main), new SingleNodeProvider(threads));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void everyIndex_isRunOnceUnderEverySchedule(int threads) {
        run(
                threads,
                (team, loops) -> {
                    int times = 0;
                    for (Schedule schedule : SCHEDULES) {
                        team.forEach(new Band(3, N), schedule, loops.count, None.NONE);
                        times++;
                        for (int i = 0; i < 2 * N; i++) {
                            int expected = i >= 3 && i < N ? times : 0;
                            assertEquals(expected, loops.counts.get(i), schedule + " " + i);
                        }
                    }
                });
    }

    @Test
    void sums_haveTheSameBitsUnderEveryScheduleAndOnAnyThreads() {
        Set<Long> bits = new LinkedHashSet<>();
        for (int threads : new int[] {1, 2, 5}) {
            run(
                    threads,
                    (team, loops) -> {
                        for (Schedule schedule : SCHEDULES) {
                            double sum =
                                    team.reduce(new Band(0, N), schedule, loops.sine, None.NONE);
                            bits.add(Double.doubleToRawLongBits(sum));
                        }
                    });
        }

        assertEquals(1, bits.size());
    }

    @Test
    void parametersAndResults_areWhatTheSequentialLoopGives() {
        run(
                3,
                (team, loops) -> {
                    team.forEach(0, 10, loops.shifted, new Shift(5, "right"));
                    for (int i = 0; i < 10; i++) {
                        assertEquals(i, loops.counts.get(i + 5));
                    }
                    assertEquals(-0.5, team.reduce(0, N, loops.most));
                    long[] halves = team.reduce(0, N, loops.halves);
                    assertEquals(500L * 499, halves[0]);
                    assertEquals(500L * 500, halves[1]);
                    team.forEach(10, 30, loops.parts);
                    assertEquals(20, loops.sum.get());
                });
    }

    @Test
    void emptyRange_runsNothing() {
        run(
                2,
                (team, loops) -> {
                    team.forEach(5, 5, loops.wrong);
                    assertEquals(0.0, team.reduce(5, 5, loops.sine));
                    assertEquals(Double.NEGATIVE_INFINITY, team.reduce(0, 0, loops.most));
                    assertEquals(2, team.reduce(2, 3, loops.noSum));
                });
    }

    @Test
    void invertedRange_isEmptyInEveryForm() {
        run(
                2,
                (team, loops) -> {
                    for (int[] ends : new int[][] {{5, 4}, {0, -1}, {-1, -5}}) {
                        int from = ends[0];
                        int to = ends[1];
                        team.forEach(from, to, loops.wrong);
                        team.forEach(from, to, loops.shifted, new Shift(1, ""));
                        for (Schedule schedule : SCHEDULES) {
                            Band band = new Band(from, to);
                            team.forEach(band, schedule, loops.wrong, None.NONE);
                            assertEquals(0.0, team.reduce(band, schedule, loops.sine, None.NONE));
                        }
                        assertEquals(0.0, team.reduce(from, to, loops.sine));
                        assertEquals(0.0, team.reduce(from, to, loops.sine, None.NONE));
                        assertArrayEquals(new long[2], team.reduce(from, to, loops.halves));
                    }
                });
    }

    @Test
    void emptyRangeOfWhichNothingIsKnown_isRefused() {
        run(
                2,
                (team, loops) -> {
                    IllegalArgumentException thrown =
                            assertThrows(
                                    IllegalArgumentException.class,
                                    () -> team.reduce(5, 5, loops.noSum));
                    assertEquals(
                            "loop 'noSum' has no result for an empty range, 5 to 5:"
                                    + " java.util.NoSuchElementException: the least of nothing",
                            thrown.getMessage());
                    assertInstanceOf(NoSuchElementException.class, thrown.getCause());
                    assertEquals(
                            "loop 'greatest' has no result for an empty range, 5 to 5:"
                                    + " java.lang.NullPointerException: a contribution to 'max of"
                                    + " double with index' is null",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> team.reduce(5, 5, loops.greatest))
                                    .getMessage());
                    assertEquals(new DoubleAt(7, 7), team.reduce(5, 8, loops.greatest));
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void arraysOfDifferentLengths_areRefusedWithTheirIndices(int threads) {
        run(
                threads,
                (team, loops) -> {
                    String text =
                            assertThrows(
                                            IllegalStateException.class,
                                            () -> team.reduce(1, 8, loops.uneven))
                                    .getMessage();
                    assertEquals(
                            threads == 2
                                    ? "loop 'uneven' returns a sum of double[3] for indices 1 to 4,"
                                            + " and a sum of double[4] for indices 4 to 8; the"
                                            + " arrays of all parts have the same length. Put arrays of"
                                            + " different lengths into a record"
                                    : "loop 'uneven' returns a sum of double[2] for indices 1 to 3,"
                                            + " and a sum of double[3] for indices 5 to 8; the"
                                            + " arrays of all parts have the same length. Put arrays of"
                                            + " different lengths into a record",
                            text);
                    assertEquals(2, team.reduce(0, 2 * threads, loops.uneven).length);
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void arraysForTheProgramsOperator_haveOneLengthOrAreInRecords(int first) {
        run(
                2,
                (team, loops) -> {
                    assertEquals(
                            "loop 'lengths' returns a add of double["
                                    + first
                                    + "] for indices 0 to 2, and a add of double[3] for indices 2"
                                    + " to 4; the arrays of all parts have the same length. Put"
                                    + " arrays of different lengths into a record",
                            assertThrows(
                                            IllegalStateException.class,
                                            () -> team.reduce(0, 4, loops.lengths, first))
                                    .getMessage());
                    assertEquals(3, team.reduce(0, 4, loops.lengths, 3).length);
                    assertEquals(5, team.reduce(0, 5, loops.joined).values().length);
                });
    }

    @Test
    void operatorThatThrows_isNamedWithItsValues() {
        run(
                2,
                (team, loops) -> {
                    IllegalStateException thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () -> team.reduce(5, 8, loops.broken));
                    assertInstanceOf(NullPointerException.class, thrown.getCause());
                    String text = thrown.getMessage();
                    assertTrue(
                            text.startsWith(
                                    "the operator of loop 'broken', broken of Joined, threw"
                                            + " java.lang.NullPointerException: "),
                            text);
                    assertTrue(
                            text.endsWith(
                                    ", for the values Joined[0] of indices 5 to 6 and Joined[0, 0]"
                                            + " of indices 6 to 8; it has to combine any two"
                                            + " values that the body returns"),
                            text);
                });
    }

    @Test
    void nullsAndLostResults_areRefusedWithWhatToDo() {
        run(
                2,
                (team, loops) -> {
                    Band all = new Band(0, 4);
                    assertEquals(
                            "loop 'count' has no schedule: it is null; Schedule.BLOCK is the"
                                    + " default",
                            assertThrows(
                                            NullPointerException.class,
                                            () -> team.forEach(all, null, loops.count, None.NONE))
                                    .getMessage());
                    assertEquals(
                            "the parameters of loop 'count' are null: None.NONE if it has none",
                            assertThrows(
                                            NullPointerException.class,
                                            () ->
                                                    team.forEach(
                                                            all, Schedule.BLOCK, loops.count, null))
                                    .getMessage());
                    assertEquals(
                            "the range of a loop is null",
                            assertThrows(
                                            NullPointerException.class,
                                            () ->
                                                    team.forEach(
                                                            (Band) null,
                                                            Schedule.BLOCK,
                                                            loops.count,
                                                            None.NONE))
                                    .getMessage());
                    assertEquals(
                            "the loop is null; loops are fields of the program",
                            assertThrows(
                                            NullPointerException.class,
                                            () -> team.reduce(0, 4, (Loop<None, Double>) null))
                                    .getMessage());
                    assertEquals(
                            "loop 'nothing' failed at index 0, on node 0, thread 0:"
                                    + " java.lang.IllegalStateException: the body returns null for"
                                    + " indices 0 to 1; return a value that a max of double with"
                                    + " index can combine",
                            assertThrows(
                                            LoopException.class,
                                            () -> team.reduce(0, 4, loops.nothing))
                                    .getMessage());
                    @SuppressWarnings({"unchecked", "rawtypes"}) // as other languages may
                    Loop<None, None> discarded = (Loop) loops.sine;
                    assertEquals(
                            "loop 'sine' has a result, a sum of double, which forEach would"
                                    + " discard: call reduce",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> team.forEach(0, 4, discarded))
                                    .getMessage());
                });
    }

    private static final List<Consumer<DsmNode>> MEETINGS =
            List.of(
                    node -> node.barrier("b").await(),
                    node -> node.barrier("alone", 1).await(),
                    node -> node.sum(1.0),
                    node -> node.allocate("late", LongArray.of(1), Protocol.MIGRATORY));

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void barrier_isRefusedInBodiesAndInTheSequentialPart(int threads) {
        run(
                threads,
                (team, loops) -> {
                    for (Consumer<DsmNode> meeting : MEETINGS) {
                        loops.meeting = meeting;
                        LoopException inBody =
                                assertThrows(
                                        LoopException.class, () -> team.forEach(0, N, loops.meets));
                        assertInstanceOf(IllegalStateException.class, inBody.getCause());
                        assertEquals(threads - 1, inBody.getSuppressed().length);
                        assertThrows(
                                IllegalStateException.class, () -> meeting.accept(team.node()));
                    }
                    loops.meeting = MEETINGS.getFirst();
                    String inBody =
                            assertThrows(LoopException.class, () -> team.forEach(0, N, loops.meets))
                                    .getCause()
                                    .getMessage();
                    assertEquals(
                            "the body of loop 'meets' cannot take part in barrier 'b': other"
                                    + " threads do not run it as often. The end of a loop is a"
                                    + " barrier",
                            inBody);
                    String inPart =
                            assertThrows(
                                            IllegalStateException.class,
                                            () -> team.node().barrier("b").await())
                                    .getMessage();
                    assertTrue(inPart.startsWith("the sequential part of "), inPart);
                    team.forEach(0, N, loops.count);
                    assertEquals(1, loops.counts.get(N - 1));
                });
    }

    /** Has code of its own before its loops and after them. */
    private static final class Framed implements LoopProgram {
        final AtomicInteger sum = new AtomicInteger();
        final Loop<None, None> add = Loop.each(sum::addAndGet);

        @Override
        public void run(DsmNode node) throws Exception {
            assertEquals(3.0, node.sum(1.0));
            LoopProgram.super.run(node);
            assertEquals(6.0, node.sum(2.0));
        }

        @Override
        public void run(Team team) {
            team.forEach(0, 10, add);
        }
    }

    @Test
    void barriersBeforeAndAfterTheLoops_work() {
        Framed program = new Framed();

        ProgramRunner.run(program, new SingleNodeProvider(3));

        assertEquals(45, program.sum.get());
    }

    @Test
    void exceptionOfABody_hasLoopNodeAndIndexAndTheTeamGoesOn() {
        run(
                3,
                (team, loops) -> {
                    LoopException thrown =
                            assertThrows(
                                    LoopException.class,
                                    () ->
                                            team.forEach(
                                                    new Band(0, N),
                                                    Schedule.CYCLIC,
                                                    loops.wrong,
                                                    None.NONE));

                    assertEquals("wrong", thrown.loop());
                    assertEquals(0, thrown.node());
                    assertEquals(77, thrown.index());
                    assertTrue(
                            thrown.getMessage()
                                    .startsWith("loop 'wrong' failed at index 77, on node 0"),
                            thrown::getMessage);
                    assertInstanceOf(IllegalStateException.class, thrown.getCause());
                    assertEquals("no 77", thrown.getCause().getMessage());
                    assertEquals(2, thrown.getSuppressed().length);
                    team.forEach(0, N, loops.count);
                    assertEquals(1, loops.counts.get(N - 1));
                });
    }

    @Test
    void numbersOfMessages_doNotFollowTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG")); // has other digits
        try {
            assertEquals(
                    "loop 'l' failed at index 9, on node 0, thread 1: java.lang.Error: no",
                    new LoopException("l", 0, 1, DOMAIN, 9, new Error("no")).getMessage());
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void nestedLoops_runInPlace() {
        run(
                3,
                (team, loops) -> {
                    team.forEach(0, 3, loops.nested);
                    assertEquals(3, loops.counts.get(17));
                    team.forEach(0, 3, loops.nestedByCapture);
                    assertEquals(6, loops.counts.get(17));
                });
    }

    /** Its loops are elements of an array and of a list. */
    private static final class Listed implements LoopProgram {
        private final AtomicInteger sum = new AtomicInteger();

        @SuppressWarnings({"unchecked", "rawtypes"}) // as arrays of generic types are made
        private final Loop<None, Double>[] sums = new Loop[] {Loop.sum(i -> i), Loop.sum(i -> -i)};

        private final List<Loop<Integer, None>> adders =
                IntStream.range(1, 12).mapToObj(this::adder).toList();
        private final List<String> words = List.of("no loops");

        private Loop<Integer, None> adder(int by) {
            return Loop.each(Integer.class, (times, i) -> fail(by, times * by * i));
        }

        private void fail(int by, int more) {
            if (by == 11) {
                throw new IllegalStateException(words.getFirst());
            }
            sum.addAndGet(more);
        }

        @Override
        public void run(Team team) {
            assertEquals(6.0, team.reduce(0, 4, sums[0]));
            assertEquals(-6.0, team.reduce(0, 4, sums[1]));
            for (Loop<Integer, None> adder : adders.subList(0, 10)) {
                team.forEach(0, 4, adder, 2);
            }
            assertEquals(55 * 6 * 2, sum.get());
            assertEquals(
                    "adders[10]",
                    assertThrows(LoopException.class, () -> team.forEach(0, 4, adders.getLast(), 2))
                            .loop());
        }
    }

    @Test
    void elementsOfArraysAndLists_areLoops() {
        ProgramRunner.run(new Listed(), new SingleNodeProvider(3));
    }

    @Test
    void mistakes_areToldBeforeAnythingRuns() {
        run(
                2,
                (team, loops) -> {
                    Loop<None, None> undeclared = Loop.each(_ -> {});
                    String text =
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> team.forEach(0, 1, undeclared))
                                    .getMessage();
                    assertTrue(text.contains("is no field of"), text);
                    assertTrue(text.contains("shifted ("), text);
                    assertEquals(
                            "band from -1 to 2: rows and indices count from 0",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> team.forEach(-1, 2, loops.count))
                                    .getMessage());
                    assertEquals(
                            "loop that charges -1 units",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> undeclared.charging(-1))
                                    .getMessage());
                    assertEquals(
                            "schedule DYNAMIC with a chunk of 0: at least 1 index",
                            assertThrows(IllegalArgumentException.class, () -> Schedule.dynamic(0))
                                    .getMessage());
                });
    }

    @Test
    void sequentialPartThatThrows_endsTheRun() {
        List<String> said = new ArrayList<>();

        IllegalStateException thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                run(
                                        3,
                                        (team, loops) -> {
                                            team.forEach(0, N, loops.count);
                                            said.add("counted");
                                            throw new IllegalStateException("enough");
                                        }));

        assertEquals("enough", thrown.getMessage());
        assertEquals(List.of("counted"), said);
    }

    /** With one class for all, the call of the function would be megamorphic. */
    @Test
    void loopsOverIndices_haveClassesOfTheirOwn() {
        IndexCalls.Each<None> each = (_, _, _, _) -> {};
        IndexCalls.Value<None> value = (_, _, _, column) -> column;
        assertNotEquals(IndexLoops.each(each).getClass(), IndexLoops.each(each).getClass());
        assertNotEquals(
                IndexLoops.combined(Math::max, 0, value).getClass(),
                IndexLoops.combined(Math::max, 0, value).getClass());
        assertNotEquals(own(_ -> {}).getClass(), own(_ -> {}).getClass());
    }

    private static IndexCalls.Each<None> own(IntConsumer function) {
        return IndexCalls.each(function);
    }
}
