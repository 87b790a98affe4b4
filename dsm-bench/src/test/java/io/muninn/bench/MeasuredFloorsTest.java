package io.muninn.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.bench.series.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Floors, ratios and limits of given times. */
class MeasuredFloorsTest {
    private static Measured measured(String name, double medianNanos) {
        return new Measured(name, medianNanos, 2 * medianNanos, 100, 0, 0);
    }

    private static Row row(Placement placement, Measured operation, Measured... floors) {
        return Row.of(
                operation, placement, new MeasuredFloors(List.of(operation), List.of(floors)));
    }

    @Test
    void remoteReadFault_needsATrapAndAPageOverTheNetwork() {
        Row row =
                row(
                        Placement.ONE_CPU,
                        measured("fault-read-remote", 45_000),
                        measured("uffd-missing", 10_000),
                        measured("netty-unix-64-4096", 20_000));

        assertEquals("uffd-missing + netty-unix-64-4096", row.floor());
        assertEquals(OptionalDouble.of(1.5), row.ratio());
        assertEquals(Optional.of(true), row.isMet());
    }

    @Test
    void floorThatWasMeasuredSeveralTimes_isThatOfTheMiddle() {
        Measured slow = measured("unix-64", 7_000);
        Measured usual = measured("unix-64", 5_000);
        Measured fast = measured("unix-64", 4_000);
        Measured once = measured("tcp-64", 9_000);

        assertEquals(
                List.of(usual, once),
                FloorRuns.middles(List.of(List.of(slow), List.of(fast, once), List.of(usual))));
    }

    @Test
    void queueUnderALock_standsOnTheCalledOne_andThatOnSeparateTasks() {
        Measured apart = measured("queue-apart-2", 15_000);
        Measured ship = measured("queue-ship-2", 30_000);
        Measured lock = measured("queue-lock-2", 45_000);

        assertEquals(OptionalDouble.of(1.5), row(Placement.UNPINNED, lock, apart, ship).ratio());
        assertEquals(OptionalDouble.of(2), row(Placement.UNPINNED, ship, apart, lock).ratio());
    }

    @Test
    void ratioAboveItsLimit_isNotMet() {
        Row row =
                row(
                        Placement.ONE_CPU,
                        measured("fault-write-local", 6_600),
                        measured("handler-twin", 5_000));

        assertEquals(1.32, row.ratio().orElseThrow(), 1e-9);
        assertEquals(Optional.of(false), row.isMet());
    }

    @Test
    void floorThatWasNotMeasured_leavesTheLimitOpen() {
        Row row = row(Placement.ONE_CPU, measured("fault-write-local", 6_600));

        assertEquals(OptionalDouble.empty(), row.ratio());
        assertEquals(Optional.empty(), row.isMet());
        assertEquals("not measured", Summary.verdict(row));
    }

    @Test
    void limits_areForOneCpu() {
        Row row =
                row(
                        Placement.UNPINNED,
                        measured("lock-passed", 90),
                        measured("unix-64", 10),
                        measured("netty-unix-64-64", 10));

        assertEquals(3, row.ratio().orElseThrow());
        assertEquals(OptionalDouble.empty(), row.bound());
    }

    @Test
    void barrier_needsAQuestionOfEveryApplicationAndTheStar() {
        Row row =
                row(
                        Placement.ONE_CPU,
                        measured("barrier-4", 300),
                        measured("unix-64", 10),
                        measured("netty-star-4", 60));

        assertEquals("4 x unix-64 + netty-star-4", row.floor());
        assertEquals(OptionalDouble.of(100), row.floorNanos());
        assertEquals(OptionalDouble.of(2), row.bound());
    }

    @Test
    void loop_needsABarrier_andOneOverElementsWhatNodesDoByHand() {
        Row empty = row(Placement.UNPINNED, measured("loop-4", 330), measured("barrier-4", 300));

        assertEquals(1.1, empty.ratio().orElseThrow());
        assertEquals("loop-4-by-hand", row(Placement.UNPINNED, measured("loop-4-each", 1)).floor());
        assertEquals("", row(Placement.UNPINNED, measured("loop-4-by-hand", 1)).floor());
    }

    @Test
    void acquire_needsTheLockAndAChangeOfAccessOnBothSides() {
        Row few = row(Placement.ONE_CPU, measured("acquire-16-home-based", 300));
        Row many = row(Placement.ONE_CPU, measured("acquire-256-home-based", 300));
        Row none = row(Placement.ONE_CPU, measured("acquire-0-home-based", 300));

        assertEquals("2 x unix-64 + netty-unix-64-64", none.floor());
        assertEquals(none.floor() + " + protect-16-pages + drop-16-pages", few.floor());
        assertEquals(
                none.floor() + " + protect-256-pages + drop-256-pages + unix-64", many.floor());
    }

    @Test
    void releaseThatWaitsForNobody_needsNoExchangeBetweenNodes() {
        Row one = row(Placement.ONE_CPU, measured("release-1-10-home-based", 60));
        Row many = row(Placement.ONE_CPU, measured("release-256-10-home-based", 60));

        assertEquals("memcmp-page + unix-64", one.floor());
        assertEquals("memcmp-256-pages + unix-64 + protect-256-pages", many.floor());
    }

    @Test
    void prefetch_needsAMessageAndItsLoadATrap() {
        Row issue = row(Placement.ONE_CPU, measured("prefetch-issue-home-based", 9));
        Row hit = row(Placement.ONE_CPU, measured("prefetch-hit-home-based", 9));
        Row late = row(Placement.ONE_CPU, measured("prefetch-late-home-based", 60));

        assertEquals("unix-64", issue.floor());
        assertEquals("uffd-missing", hit.floor());
        assertEquals("uffd-missing + netty-unix-64-4096", late.floor());
    }

    @Test
    void lateRelease_comparesUnlessTheDiffsAreMadeWhenAsked() {
        Row home = row(Placement.ONE_CPU, measured("release-16-10-home-based", 90));
        Row lazy = row(Placement.ONE_CPU, measured("release-16-10-lazy", 90));

        assertEquals("16 x memcmp-page + unix-64 + protect-16-pages", home.floor());
        assertEquals("unix-64 + protect-16-pages", lazy.floor());
    }

    @Test
    void section_needsALockATrapAFewBytesAndATwin() {
        Row row = row(Placement.ONE_CPU, measured("section-lazy", 200));

        assertEquals(
                "2 x unix-64 + netty-unix-64-64 + uffd-missing + netty-unix-64-64 + handler-twin",
                row.floor());
    }

    @Test
    void faultThatAHomeServes_needsATrapAndAPageOverTheNetwork() {
        Row row = row(Placement.ONE_CPU, measured("fault-stale-home-based", 60));

        assertEquals("uffd-missing + netty-unix-64-4096", row.floor());
    }

    @Test
    void release_sendsAsManyBytesBareAsItDidLive() {
        Measured release = new Measured("release-256-1", 900, 1000, 100, 4, 30_000.4);

        Row row =
                row(
                        Placement.ONE_CPU,
                        release,
                        measured("memcmp-256-pages", 100),
                        measured("unix-64", 50),
                        measured("netty-unix-30000-64", 150));

        assertEquals("memcmp-256-pages + unix-64 + netty-unix-30000-64", row.floor());
        assertEquals(OptionalDouble.of(3), row.ratio());
    }

    @Test
    void copies_areARoundTripEach() {
        List<MeasuredFloors.Term> terms = MeasuredFloors.of(measured("fault-write-3-copies", 1));

        assertEquals("uffd-write + 3 x netty-unix-64-64", MeasuredFloors.text(terms));
    }

    @Test
    void operationBetweenProcesses_standsOnItsLikeOfTheSameSitting() {
        Row row =
                row(
                        Placement.ONE_CPU,
                        measured("sibling-barrier-1x4", 13),
                        measured("sibling-barrier-4x1", 20));

        assertEquals("sibling-barrier-4x1", row.floor());
        assertEquals(Optional.of(true), row.isMet());
    }

    @Test
    void queueOfRemoteWord_standsOnTasksThatAreApart() {
        Row row =
                row(
                        Placement.UNPINNED,
                        measured("queue-remote-2", 115),
                        measured("queue-apart-2", 100));

        assertEquals("queue-apart-2", row.floor());
        assertEquals(Optional.of(true), row.isMet());
    }

    @Test
    void additionsOfTwoNodes_haveALimitWhereTheyOverlap() {
        Row met = row(Placement.UNPINNED, measured("remote-add-2", 400));
        Row missed = row(Placement.UNPINNED, measured("remote-add-2", 401));
        Row pinned = row(Placement.ONE_CPU, measured("remote-add-2", 10));

        assertEquals(Optional.of(true), met.isMet());
        assertEquals(Optional.of(false), missed.isMet());
        assertEquals(Optional.empty(), pinned.isMet());
    }

    @Test
    void limitOfATime_isThatOfTheMedian() {
        Row met = row(Placement.ONE_CPU, measured("sibling-lock", 300));
        Row missed = row(Placement.ONE_CPU, measured("sibling-lock-notice", 15_001));
        Row unpinned = row(Placement.UNPINNED, measured("sibling-lock", 300));

        assertEquals(Optional.of(true), met.isMet());
        assertEquals("0.30 µs", met.limit());
        assertEquals(Optional.of(false), missed.isMet());
        assertEquals(Optional.empty(), unpinned.isMet());
    }

    @Test
    void summary_showsTheWorstLoopForAll() {
        Results results = new Results(new MeasuredMachine("p", 2, "s", "j", "c"), true);
        List<Measured> loops = new ArrayList<>();
        loops.add(measured("access-sum-view", 101));
        loops.add(measured("access-sum-array", 100));
        loops.add(measured("access-stencil-view", 110));
        loops.add(measured("access-stencil-array", 100));
        results.add(Placement.ONE_CPU, loops, List.of());

        List<Row> summary = Summary.rows(results);

        assertEquals(List.of("access-stencil-view"), summary.stream().map(Row::name).toList());
        assertEquals("not met", Summary.verdict(summary.getFirst()));
    }

    @Test
    void warmUpThatDidNotSettle_isShownAsSuch() {
        Row unknown = row(Placement.ONE_CPU, measured("unix-64", 10));
        Row settled = row(Placement.ONE_CPU, warmed(new Measured.WarmUp(9000, true)));
        Row bound = row(Placement.ONE_CPU, warmed(new Measured.WarmUp(9000, false)));

        assertEquals(
                List.of("", "9000", ">9000"),
                Stream.of(unknown, settled, bound).map(Row::warmUp).toList());
    }

    private static Measured warmed(Measured.WarmUp warmUp) {
        return new Measured("lock-passed", 30, 40, 100, 0, 0, Measured.Cpu.UNKNOWN, warmUp);
    }

    @Test
    void lineThatIsNoMeasurement_isRefused() {
        assertEquals(
                List.of(new Measured("unix-64", 10.5, 20, 100, 0, 0)),
                MeasuredLines.read(List.of("unix-64 10.5 20.0 100"), _ -> {}));
        assertThrows(
                BenchmarkFailedException.class,
                () -> MeasuredLines.read(List.of("unix-64 ten 20 100"), _ -> {}));
        assertThrows(
                BenchmarkFailedException.class,
                () -> MeasuredLines.read(List.of("unix-64 10"), _ -> {}));
    }

    @Test
    void floorThatIsNotThere_isSaidAndLeftOut() {
        List<String> notes = new ArrayList<>();

        List<Measured> floors =
                MeasuredLines.read(
                        List.of("uffd-write unavailable userfaultfd: Operation not permitted"),
                        notes::add);

        assertEquals(List.of(), floors);
        assertEquals(1, notes.size());
    }

    @Test
    void firstProcessorAllowed_isTaken() throws Exception {
        assertEquals(
                List.of(3, 4, 5, 7),
                Placement.allowedBy(List.of("Name:\tjava", "Cpus_allowed_list:\t3-5,7")));
        assertEquals(List.of(1), Placement.allowedBy(List.of("Cpus_allowed_list:\t1")));
    }

    @Test
    void repetitions_areReadAndTheFirstIsForgotten() {
        String output =
                "a\nrepetition 1 of 3: 9.500000 s\nrepetition 2 of 3: 0.250000 s\n"
                        + "repetition 3 of 3: 0.500000 s\nverified: x\n";

        Measured measured = AppRuns.measured("mult", AppRuns.repetitions(output));

        assertEquals(2, measured.samples());
        assertEquals(500e6, measured.medianNanos());
        assertEquals(500e6, measured.p99Nanos());
        assertThrows(
                BenchmarkFailedException.class,
                () -> AppRuns.measured("mult", AppRuns.repetitions("")));
    }
}
