package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Homes, prefetches and refreshes of a program in real processes. */
@Tag("e2e")
class HintsE2eTest {
    private static final int NODES = 3;
    private static final int PAGES = 64;

    @Test
    void hints_areTakenAndCounted() throws InterruptedException {
        JsonObject report = DsmRun.report("-n " + NODES + " --no-table", DsmRun.program("Hints"));

        JsonObject totals = report.getAsJsonObject("totals");
        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        assertEquals(NODES * PAGES, count(totals, "prefetches"), totals::toString);
        // of the root's own, if others have not fetched them before: it gives away what it does
        // not use
        assertTrue(count(totals, "prefetchesUnnecessary") <= PAGES, totals::toString);
        assertEquals(
                NODES * PAGES,
                count(totals, "prefetchesUnnecessary")
                        + count(totals, "prefetchHits")
                        + count(totals, "prefetchesLate")
                        + count(totals, "prefetchesInvalidated"),
                totals::toString);
        JsonObject replies = totals.getAsJsonObject("byKind").getAsJsonObject("refresh-reply");
        assertTrue(replies.get("messages").getAsLong() > 0, totals::toString);
    }

    private static long count(JsonObject totals, String key) {
        return totals.get(key).getAsLong();
    }
}
