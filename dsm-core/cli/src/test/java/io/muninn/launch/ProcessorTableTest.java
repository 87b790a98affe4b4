package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.sim.ProcessorReport;
import io.muninn.sim.ProcessorTimes;
import io.muninn.sim.ProcessorUse;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorTableTest {
    private static final ProcessorTimes THREAD = times(1, 2, 10, 4, 3_000);
    private static final ProcessorTimes OWN = times(1_000, 1, 2, 1, 10);

    /** Of each use as many nanoseconds as its place, from 1, times a factor. */
    private static ProcessorTimes times(
            long factor, long switches, long runs, long stalls, long stalledNanos) {
        Map<ProcessorUse, Long> nanos = new EnumMap<>(ProcessorUse.class);
        for (ProcessorUse use : ProcessorUse.values()) {
            nanos.put(use, factor * (1 + use.ordinal()));
        }
        return new ProcessorTimes(nanos, switches, runs, stalls, stalledNanos);
    }

    private static ProcessorTable table() {
        ProcessorReport node =
                new ProcessorReport(2, 99, ProcessorTimes.NONE, List.of(THREAD, OWN));
        return new ProcessorTable(List.of(node, node), 1);
    }

    @Test
    void table_hasARowForEachNodeAndThread() {
        List<String> lines = table().format(true).lines().map(String::stripTrailing).toList();

        assertEquals(
                List.of(
                        "",
                        "time of processors",
                        "node 0",
                        "  thread 0",
                        "  own thread 0",
                        "node 1",
                        "  thread 0",
                        "  own thread 0",
                        "all"),
                lines.stream().map(line -> line.split("(?<=\\S) {2,}")[0]).toList());
        assertTrue(lines.getLast().matches("all +4 +2\\.00 µs .*"), lines.getLast());
        assertEquals(5, table().format(false).lines().count());
    }

    @Test
    void json_hasThreadsNodesAndTotals() {
        JsonObject report =
                JsonParser.parseString(table().addTo("{\"seconds\": 0.10}")).getAsJsonObject();

        assertEquals("0.10", report.get("seconds").getAsString());
        JsonObject processors = report.getAsJsonObject("processors");
        JsonObject totals = processors.getAsJsonObject("totals");
        assertEquals(2 * 1_001, totals.get("busyNanos").getAsLong());
        assertEquals(2 * 7_007, totals.get("idleNanos").getAsLong());
        assertEquals(2 * 3, totals.get("switches").getAsLong());
        assertEquals(6_020 / 10, totals.get("averageStallNanos").getAsLong());
        JsonObject node = processors.getAsJsonArray("perNode").get(1).getAsJsonObject();
        assertEquals(1, node.get("node").getAsInt());
        assertEquals(2, node.get("processors").getAsInt());
        assertEquals(99, node.get("elapsedNanos").getAsLong());
        JsonObject thread = node.getAsJsonArray("threads").get(0).getAsJsonObject();
        assertEquals(6, thread.get("switchingNanos").getAsLong());
        assertEquals(10, thread.get("runs").getAsLong());
        assertEquals(750, thread.get("averageStallNanos").getAsLong());
    }
}
