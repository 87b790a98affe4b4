package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs that look for elements which several nodes store to at the same time. */
@Tag("e2e")
class RacesE2eTest {
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
                .assertErr("races: not looked for in alone (lazy), words (lazy)");
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
