package io.muninn.launch.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.muninn.api.Protocol;
import io.muninn.launch.process.LiveRun;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a comparison concludes from the times of its runs. */
class ComparisonTableTest {
    private static Variant variant(String label, boolean isAlone) {
        return new Variant(label, "", Optional.<Protocol>empty(), 1, false, isAlone);
    }

    private static LiveRun run(double seconds) {
        JsonObject totals = new JsonObject();
        for (NodeCounter counter : NodeCounter.values()) {
            totals.addProperty(counter.key(), 0);
        }
        JsonObject report = new JsonObject();
        report.addProperty("seconds", seconds);
        report.add("totals", totals);
        return new LiveRun(0, Optional.of(report), "");
    }

    private static String table(double one, double several) {
        ComparisonTable table = new ComparisonTable("primes", 4);
        table.add(variant("one node", true), List.of(run(one)));
        table.add(variant("as annotated", false), List.of(run(several)));
        table.add(variant("all lazy", false), List.of(run(several + 1)));
        return table.text();
    }

    @Test
    void problemThatOneNodeSolvesSooner_isTooSmall() {
        String text = table(0.02, 0.5);

        assertTrue(
                text.endsWith(
                        "\nThe problem is too small for 4 nodes: 'one node' takes 20.0 ms, and the"
                                + " fastest version on 4 nodes, 'as annotated', 500 ms. Enlarge"
                                + " it, or use one node.\n"),
                text);
        assertFalse(table(0.7, 0.5).contains("too small"));
    }
}
