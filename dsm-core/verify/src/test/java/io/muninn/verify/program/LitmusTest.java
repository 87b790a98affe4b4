package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.verify.program.LitmusRun.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LitmusTest {
    private static final int RUNS_MIN = Seeds.some(30);
    private static final int RUNS_MAX = 5_000;

    /** Tests of three or four threads: some outcomes take thousands of runs. */
    private static final Set<String> RARE = Set.of("IRIW", "ISA2", "WRC");

    /**
     * Prints the table of all tests: at least {@code args[0]} runs each, at most {@code args[1]}.
     */
    public static void main(String[] args) {
        System.out.print(LitmusTable.of(Integer.parseInt(args[0]), Integer.parseInt(args[1])));
    }

    static Stream<Litmus> all() {
        return Litmus.ALL.stream();
    }

    static Stream<Litmus> usual() {
        return all().filter(litmus -> !RARE.contains(litmus.name()));
    }

    static Stream<Litmus> rare() {
        return all().filter(litmus -> RARE.contains(litmus.name()));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("rare")
    void everyProtocolInEveryStyle_showsEvenWhatIsRare(Litmus litmus) {
        everyProtocolInEveryStyle_showsWhatItMayAndNothingElse(litmus);
    }

    @ParameterizedTest
    @MethodSource("usual")
    void everyProtocolInEveryStyle_showsWhatItMayAndNothingElse(Litmus litmus) {
        List<String> broken = new ArrayList<>();
        for (LitmusRun run : LitmusTable.runs(litmus)) {
            LitmusRun.Seen seen = run.explore(RUNS_MIN, RUNS_MAX);
            broken.addAll(run.broken(seen));
        }

        assertEquals("", String.join("\n", broken));
    }

    @ParameterizedTest
    @MethodSource("all")
    void oneMemory_neverShowsTheWeakOutcome(Litmus litmus) {
        for (boolean whole : new boolean[] {false, true}) {
            TreeSet<String> shown = SerialModel.outcomes(litmus, false, whole);
            assertFalse(shown.stream().anyMatch(outcome -> Litmus.fits(outcome, litmus.weak())));
        }
        assertEquals(1, SerialModel.outcomes(litmus, true, false).size(), "a race between steps");
    }

    /**
     * Every outcome that must be shown is allowed somewhere: otherwise it would be ignored
     * silently.
     */
    @ParameterizedTest
    @MethodSource("all")
    void writeSharedPages_mayShowWhatTheyAreSaidTo(Litmus litmus) {
        TreeSet<String> bare = WriteSharedModel.outcomes(litmus, true, false);
        bare.addAll(WriteSharedModel.outcomes(litmus, false, false));
        TreeSet<String> cached = WriteSharedModel.outcomes(litmus, true, true);

        assertTrue(bare.containsAll(litmus.bare()), bare::toString);
        assertTrue(cached.containsAll(litmus.cached()), cached::toString);
    }

    @Test
    void models_areRightWhereOneSeesIt() {
        Litmus passing = litmus("MP");
        Litmus buffering = litmus("SB");

        assertEquals(Set.of("0 0", "0 1", "1 1"), SerialModel.outcomes(passing, false, false));
        assertEquals(Set.of("0 0", "1 1"), SerialModel.outcomes(passing, false, true));
        assertEquals(Set.of("1 1"), SerialModel.outcomes(passing, true, false));
        // one update carries both stores; from two pages they may come in any order
        assertEquals(Set.of("0 0", "0 1", "1 1"), WriteSharedModel.outcomes(passing, true, true));
        assertEquals(
                Set.of("0 0", "0 1", "1 0", "1 1"),
                WriteSharedModel.outcomes(passing, false, true));
        // a copy of one page may outlast that of another, but no store is seen that others can miss
        assertEquals(Set.of("0 0", "0 1", "1 1"), PipelinedModel.outcomes(passing, true, true));
        assertTrue(PipelinedModel.outcomes(passing, false, true).contains("1 0"));
        assertTrue(PipelinedModel.outcomes(buffering, false, true).contains("0 0"));
        assertFalse(PipelinedModel.outcomes(litmus("IRIW"), false, true).contains("1 0 1 0"));
        assertFalse(PipelinedModel.outcomes(litmus("WRC"), false, true).contains("1 1 0"));
        assertFalse(PipelinedModel.outcomes(litmus("LB"), false, true).contains("1 1"));
        // a home stores in place, so each thread may miss the other's store
        assertEquals(
                Set.of("0 0", "0 1", "1 0", "1 1"),
                HomeBasedModel.outcomes(buffering, true, false));
        assertEquals(Set.of("0 0", "0 1", "1 0"), HomeBasedModel.outcomes(buffering, true, true));
        assertTrue(HomeBasedModel.outcomes(passing, false, true).contains("1 0"));
        assertFalse(HomeBasedModel.outcomes(passing, true, true).contains("1 0"));
        assertFalse(HomeBasedModel.outcomes(litmus("CoRR"), true, false).contains("1 0"));
        // without an acquire a copy has no store of others, except of the node that sent it
        assertEquals(Set.of("0 0"), LazyModel.outcomes(buffering, false, true));
        assertEquals(
                Set.of("0 0", "0 1", "1 0", "1 1"), LazyModel.outcomes(buffering, false, false));
        assertEquals(Set.of("0 0", "0 1", "1 1"), LazyModel.outcomes(passing, false, false));
        assertEquals(Set.of("0 0", "0 1", "1 1"), LazyModel.outcomes(passing, true, false));
        assertEquals(Set.of("2 1 1 2"), LazyModel.outcomes(litmus("2+2W"), true, true));
        // a page moves with all earlier stores, and a copy never changes
        assertEquals(
                Set.of("0 0", "0 1", "1 0", "1 1"),
                SingleWriterModel.outcomes(buffering, false, false));
        assertEquals(Set.of("0 0"), SingleWriterModel.outcomes(buffering, false, true));
        assertEquals(Set.of("0 1", "1 0"), SingleWriterModel.outcomes(buffering, true, true));
        assertEquals(Set.of("0 0"), SingleWriterModel.outcomes(passing, false, true));
        assertEquals(
                Set.of("1 2 1 2", "2 1 2 1", "2 2 2 2"),
                SingleWriterModel.outcomes(litmus("2+2W"), true, true));
        // a thread that sees the other's store ran after its end, so only one can
        assertEquals(Set.of("0 0", "0 1", "1 0"), WriteSharedModel.outcomes(buffering, true, true));
    }

    @Test
    void rowOfTheTable_marksWhatIsNotAllowed() {
        Litmus passing = litmus("MP");
        LitmusRun run = new LitmusRun(passing, Protocol.WRITE_SHARED, Style.CACHED, false);

        String row =
                LitmusTable.row(
                        passing,
                        run,
                        new LitmusRun.Seen(new TreeMap<>(Map.of("1 0", 2, "5 0", 1)), 3));

        assertEquals(
                "MP write-shared CACHED, a page each 3 runs ~1 0: 2 !5 0: 1",
                row.replaceAll(" +", " "));
    }

    @Test
    void brokenStatements_areNamed() {
        LitmusRun run = new LitmusRun(litmus("MP"), Protocol.CONVENTIONAL, Style.BARE, true);

        List<String> broken = run.broken(new LitmusRun.Seen(Map.of("1 0", 2, "0 0", 3), 5));

        assertEquals(4, broken.size(), broken::toString);
        assertTrue(broken.getFirst().contains("1 0 is not allowed, seen 2"), broken.getFirst());
        assertTrue(broken.getLast().contains("SOMETIMES, pattern=1 1], seen 0 of 5"));
    }

    private static Litmus litmus(String name) {
        return Litmus.ALL.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
