package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pages that are written in every interval, with their twins kept and without. */
@Tag("e2e")
class HotPagesE2eTest {
    /** A page that all nodes write in each of 60 rounds, and one that is looked at in between. */
    private static final String FALSE_SHARE = "falseshare --rounds 60 --pages 4";

    /** Faults of a node until a page is hot: the first three rounds, and a fetch. */
    private static final int FAULTS_MAX = 4;

    @Test
    void pagesWrittenInEveryInterval_faultOnlyUntilTheyAreHot() throws InterruptedException {
        JsonObject hot = totals("-n 3 --threads 2 --no-table", FALSE_SHARE);
        JsonObject cold = totals("-n 3 --threads 2 --no-table --adaptive-twins off", FALSE_SHARE);

        int pagesOnNodes = 3 * 4;
        assertTrue(count(hot, "writeFaults") <= FAULTS_MAX * 2 * pagesOnNodes, hot::toString);
        assertTrue(count(cold, "writeFaults") >= 59 * pagesOnNodes, cold::toString);
        assertEquals(0, count(cold, "twinsKept"), cold::toString);
        assertEquals(count(cold, "diffsMade"), count(hot, "diffsMade"), "as many diffs");
        assertTrue(count(hot, "twinsKept") >= 50 * pagesOnNodes, hot::toString);
    }

    @Test
    void storesThatNeverStop_areAllSeen() throws InterruptedException {
        JsonObject report =
                DsmRun.report("-n 2 --threads 2 --no-table", DsmRun.program("SteadyStores"));

        JsonObject totals = report.getAsJsonObject("totals");
        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        assertTrue(count(totals, "twinsKept") > 100, totals::toString);
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
