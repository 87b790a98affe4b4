package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pages that are written in every interval, with their twins kept and without. */
@Tag("e2e")
class HotPagesE2eTest {
    /** Every thread of every node writes elements of each page in each of 60 rounds. */
    private static final String FALSE_SHARE = "falseshare --rounds 30 --pages 4";

    private static final int ROUNDS = 30;
    private static final int PAGES_OF_NODES = 3 * 4;

    /** Until a page is hot each thread of its node faults once a round; and once to fetch it. */
    private static final int FAULTS_MAX = 2 * 4;

    /** Without an update timeout, so that nothing depends on how long the rounds take. */
    private static final String OPTIONS = "-n 3 --threads 2 --no-table --update-timeout off ";

    @Tag("slow")
    @Test
    void pagesWrittenInEveryInterval_faultOnlyUntilTheyAreHot() throws InterruptedException {
        JsonObject hot = totals(OPTIONS, FALSE_SHARE);
        JsonObject cold = totals(OPTIONS + "--adaptive-twins off", FALSE_SHARE);

        assertTrue(count(hot, "writeFaults") <= FAULTS_MAX * PAGES_OF_NODES, hot::toString);
        assertTrue(count(cold, "writeFaults") >= (ROUNDS - 1) * PAGES_OF_NODES, cold::toString);
        assertEquals(PAGES_OF_NODES, count(hot, "pagesHeated"), hot::toString);
        assertTrue(
                count(hot, "twinsKept") >= (ROUNDS - FAULTS_MAX) * PAGES_OF_NODES, hot::toString);
        assertEquals(0, count(cold, "twinsKept"), cold::toString);
        assertNotMore("diffs", count(cold, "diffsMade"), count(hot, "diffsMade"), hot);
        assertNotMore("updates", updates(cold), updates(hot), hot);
    }

    @Test
    void storesThatNeverStop_areAllSeen() throws InterruptedException {
        JsonObject report =
                DsmRun.report("-n 2 --threads 2 --no-table", DsmRun.program("SteadyStores"));

        JsonObject totals = report.getAsJsonObject("totals");
        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        assertTrue(count(totals, "twinsKept") > 100, totals::toString);
    }

    /** But for a few at the start, when it is a matter of time who holds which page. */
    private static void assertNotMore(String what, long cold, long hot, JsonObject totals) {
        assertTrue(
                hot <= cold + PAGES_OF_NODES,
                () -> what + ": " + hot + ", without twins that stay " + cold + "; " + totals);
    }

    /** Messages. How often pages are fetched depends on which node's threads start first. */
    private static long updates(JsonObject totals) {
        return count(totals.getAsJsonObject("byKind").getAsJsonObject("update"), "messages");
    }

    private static JsonObject totals(String options, String program) throws InterruptedException {
        JsonObject report = DsmRun.report(options, program);
        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        return report.getAsJsonObject("totals");
    }

    private static long count(JsonObject totals, String key) {
        return totals.get(key).getAsLong();
    }
}
