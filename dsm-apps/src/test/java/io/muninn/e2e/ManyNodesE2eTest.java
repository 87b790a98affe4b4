package io.muninn.e2e;

import io.muninn.model.NodeId;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/** As many nodes as there can be, on however few processors. */
@Tag("e2e")
@Tag("slow")
class ManyNodesE2eTest {
    /** The load while all of them join is no reason to consider one of them lost. */
    @RepeatedTest(10)
    void mostNodesOnOneMachine_start() throws InterruptedException {
        try (DsmRun run = DsmRun.start("run -n " + NodeId.LIVE_MAX + " hello")) {
            run.await(DsmRun.LIMIT.multipliedBy(4)).assertStatus(0).assertOut("verified");
        }
    }
}
