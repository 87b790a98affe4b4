package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.muninn.e2e.MarkedProcesses.Role;
import io.muninn.e2e.programs.EndlessCalls;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shipped objects between processes. */
@Tag("e2e")
class ShippedE2eTest {
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);
    private static final int NODES = 3;
    private static final int NODE_LOST = 3;

    @Test
    void promises_areKept() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 --threads 2 --no-table", "ShippedCallPromises"))
                .assertStatus(0)
                .assertOut("verified: 10 rounds");
    }

    @Tag("slow")
    @Test
    void promises_areKeptByAnotherProtocolAndCallsAreCounted() throws InterruptedException {
        JsonObject report =
                DsmRun.report(
                        "-n 2 --no-table --protocol conventional",
                        DsmRun.program("ShippedCallPromises"));

        assertEquals("10 rounds", report.get("detail").getAsString());
        JsonObject totals = report.getAsJsonObject("totals");
        long calls = totals.get("callsShipped").getAsLong();
        assertTrue(calls > 2 * 50, totals::toString);
        assertTrue(totals.get("callNanos").getAsLong() > 0, totals::toString);
        assertTrue(report.toString().contains("\"call\""), report::toString);
        assertTrue(report.toString().contains("\"reply\""), report::toString);
    }

    @Test
    void lossOfTheServingAgent_endsCallsAndTheRun() throws InterruptedException {
        assertLossEndsCallsAndTheRun(Role.AGENT);
    }

    @Tag("slow")
    @Test
    void lossOfTheServingApplication_endsCallsAndTheRun() throws InterruptedException {
        assertLossEndsCallsAndTheRun(Role.APPLICATION);
    }

    private static void assertLossEndsCallsAndTheRun(Role role) throws InterruptedException {
        try (DsmRun run = DsmRun.startProgram("--agents node -n " + NODES, "EndlessCalls")) {
            run.awaitOutput(EndlessCalls.UNDER_WAY, NODES);
            run.member(role, 1).signal("KILL");

            DsmRun.Result result = run.await(AFTER_KILL);

            result.assertStatus(NODE_LOST);
            long told =
                    result.out()
                            .lines()
                            .filter(line -> line.contains(EndlessCalls.ENDED + "node 1 is lost"))
                            .count();
            assertEquals(NODES - 1, told, result::toString);
        }
    }

    @Tag("slow")
    @Test
    void lossOfACaller_endsTheRunOfTheServingNode() throws InterruptedException {
        try (DsmRun run = DsmRun.startProgram("-n " + NODES, "EndlessCalls")) {
            run.awaitOutput(EndlessCalls.UNDER_WAY, NODES);
            run.member(Role.APPLICATION, 2).signal("KILL");

            run.await(AFTER_KILL).assertStatus(NODE_LOST).assertOut("node 2 is lost");
        }
    }
}
