package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that look for elements which a node stores to while another loads or stores to them. */
@Tag("e2e")
class RacesE2eTest {
    private static final String PART_OF_ANOTHER =
            "race: parts\\[\\d+] is loaded by one node and stored to by another at the same time:"
                    + " loaded by node \\d after the start, stored to by node \\d"
                    + " before barrier 'summed'";

    @Test
    void race_isReportedWithItsElementAndEndsWithStatus1() throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run(DsmRun.programLine("-n 3 --no-table --check-races", "Races"));

        result.assertStatus(1)
                .assertOut("verified: 40")
                .assertErr("race: words[7] is stored to by two nodes at the same time: 7")
                .assertErr("race: alone[3] is stored to by two nodes at the same time: 8")
                .assertErr("race: and 7 more elements");
        assertFalse(result.err().contains("words[2"), result::toString);
        assertFalse(result.err().contains("words[40]"), result::toString);
        assertEquals(21, result.err().lines().filter(line -> line.startsWith("race: ")).count());
    }

    @Test
    void loadsWithoutABarrier_areReportedWithTheirElementsAndEndWithStatus1()
            throws InterruptedException {
        assertLoadsAreReported("-n 3 --no-table --check-races");
    }

    private static void assertLoadsAreReported(String options) throws InterruptedException {
        DsmRun.Result result = DsmRun.run(DsmRun.programLine(options, "LoadRaces"));

        result.assertStatus(1).assertOut("verified: sums are ");
        List<String> races =
                result.err().lines().filter(line -> line.startsWith("race: ")).toList();
        assertEquals(21, races.size(), result::toString);
        for (String race : races.subList(0, 20)) {
            assertTrue(race.matches(PART_OF_ANOTHER), race);
        }
        assertEquals("race: and 40 more elements", races.getLast()); // 20 of each node
        result.assertErr(
                "possible race: others[350] is in a segment of one node and stored to by another");
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("io.muninn.e2e.EnginesE2eTest#engines")
    void loadsWithoutABarrier_areReportedOnEveryEngine(String engine) throws InterruptedException {
        assertLoadsAreReported("-n 3 --no-table --check-races --engine " + engine);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"", "--agents 3", "--threads 2", "--processes 2"})
    void loadsAfterABarrierOrUnderALock_areReportedNothingOf(String options)
            throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run(
                        DsmRun.programLine(
                                "-n 3 --no-table --check-races " + options, "LoadRaces barrier"));

        result.assertStatus(0);
        assertFalse(
                result.err().lines().anyMatch(line -> line.startsWith("race: ")), result::toString);
    }

    @Tag("slow")
    @Test
    void applicationThatDoesNotRecordItsLoads_isRefused() throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run(
                        DsmRun.programLine(
                                "-n 2 --no-table --check-races --jvm-option"
                                        + " -Dmuninn.guarded=false",
                                "LoadRaces"));

        result.assertErr("this application does not record its loads")
                .assertErr("-Dmuninn.guarded=true");
        assertNotEquals(0, result.status());
    }

    @Tag("slow")
    @Test
    void race_isNoConcernOfARunThatDoesNotLook() throws InterruptedException {
        DsmRun.Result result = DsmRun.run(DsmRun.programLine("-n 3 --no-table", "Races"));

        result.assertStatus(0);
        assertFalse(result.err().contains("race"), result::toString);
    }

    @Tag("slow")
    @Test
    void rightProgram_isReportedNothingOf() throws InterruptedException {
        assertNothingIsReportedOf("diff --rows 130 --columns 250 --sweeps 6");
    }

    @Tag("slow")
    @Test
    void variableThatIsNotLookedAt_isNamed() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 --no-table --check-races --protocol lazy", "Races"))
                .assertErr(
                        "races: not looked for in alone (lazy), words (lazy),"
                                + " which --protocol write-shared would change");
    }

    @Tag("slow")
    @Test
    void anotherRightProgram_isReportedNothingOf() throws InterruptedException {
        assertNothingIsReportedOf("mult --size 120");
    }

    private static void assertNothingIsReportedOf(String program) throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run("run -n 4 --no-table --check-races --protocol write-shared " + program);

        result.assertStatus(0);
        assertFalse(result.err().contains("race"), result::toString);
    }
}
