package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Weak pages in memory that the nodes of an agent share: programs are right, and no message between
 * these nodes is about a page. All programs on all engines are tagged slow.
 */
@Tag("e2e")
class PoolE2eTest {

    /** Kinds of messages that are not about pages. */
    private static final Set<String> WITHOUT_PAGES =
            Set.of("barrier-arrive", "barrier-depart", "lock-request", "lock-grant");

    private static final List<String> PROGRAMS =
            List.of(
                    "diff --rows 128 --columns 256 --sweeps 20",
                    "sor --size 256 --steps 5",
                    "fft-six --points 16384",
                    "tsp-f --cities 12 --threshold 8");

    private static final List<String> SHAPES =
            List.of(
                    "-n 2",
                    "-n 4",
                    "-n 2 --processes 2",
                    "-n 2 --threads 2 --weak-transition immediate",
                    "-n 2 --weak-notices publish --weak-unsafe-after 0 --weak-safe-after 2");

    /** With several agents. */
    private static final List<String> MIXED =
            List.of(
                    "-n 2 --agents node",
                    "-n 4 --agents 2",
                    "-n 2 --agents node --processes 2",
                    "-n 4 --agents 2 --weak-transition immediate",
                    "-n 3 --agents 2 --weak-notices publish --weak-unsafe-after 0"
                            + " --weak-safe-after 2");

    static Stream<Arguments> programsOnEngines() {
        return programsOnEngines(SHAPES);
    }

    static Stream<Arguments> mixedProgramsOnEngines() {
        return programsOnEngines(MIXED);
    }

    private static Stream<Arguments> programsOnEngines(List<String> shapes) {
        return EnginesE2eTest.engines()
                .flatMap(engine ->
                        shapes.stream()
                                .flatMap(shape ->
                                        PROGRAMS.stream()
                                                .map(program ->
                                                        Arguments.of(
                                                                shape + " --engine " + engine,
                                                                program))));
    }

    @ParameterizedTest
    @CsvSource({
        "-n 4 --engine uffd+signal, tsp-f --cities 12 --threshold 8",
        "-n 2 --engine mprotect+signal, diff --rows 128 --columns 256 --sweeps 20"
    })
    void program_isRightWithoutMessagesAboutPages(String options, String program)
            throws InterruptedException {
        JsonObject report = DsmRun.report(options + " --protocol weak --pool", program);

        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        JsonObject totals = report.getAsJsonObject("totals");
        assertTrue(totals.get("pagesFetched").getAsLong() > 0, report::toString);
        assertEquals(0, totals.get("pagesSent").getAsLong(), report::toString);
        Set<String> kinds = totals.getAsJsonObject("byKind").keySet();
        assertTrue(WITHOUT_PAGES.containsAll(kinds), kinds::toString);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("programsOnEngines")
    void program_isRightOnEveryEngineUnderEveryVariant(String options, String program)
            throws InterruptedException {
        program_isRightWithoutMessagesAboutPages(options, program);
    }

    @ParameterizedTest
    @CsvSource({
        "-n 4 --agents 2 --engine uffd+signal, tsp-f --cities 12 --threshold 8",
        "-n 2 --agents node --engine uffd+event, sor --size 256 --steps 5",
        "-n 4 --agents 2 --engine mprotect+signal, diff --rows 128 --columns 256 --sweeps 20"
    })
    void program_isRightOverAPoolOfEachAgent(String options, String program)
            throws InterruptedException {
        JsonObject report = DsmRun.report(options + " --protocol weak --pool", program);

        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        JsonObject totals = report.getAsJsonObject("totals");
        long fetched = totals.get("pagesFetched").getAsLong();
        long sent = totals.get("pagesSent").getAsLong();
        assertTrue(sent > 0 && sent <= fetched, report::toString); // those of far pages
        assertTrue(totals.getAsJsonObject("byKind").has("list-reply"), report::toString);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("mixedProgramsOnEngines")
    void program_isRightOverAPoolOfEachAgentOnEveryEngine(String options, String program)
            throws InterruptedException {
        JsonObject report = DsmRun.report(options + " --protocol weak --pool", program);

        assertTrue(report.get("verified").getAsBoolean(), report::toString);
    }
}
