package io.muninn.launch.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorTableTest {
    private static final ProcessorTimes THREAD = times(1, 2, 10, 5);
    private static final ProcessorTimes OWN = times(1_000, 1, 2, 0);

    /** For each use, as many nanoseconds as its place, from 1, times a factor. */
    private static ProcessorTimes times(long factor, long switches, long runs, long awayNanos) {
        return new ProcessorTimes(
                each(factor), each(1), each(100), each(40), switches, runs, awayNanos);
    }

    private static Map<ProcessorUse, Long> each(long factor) {
        Map<ProcessorUse, Long> values = new EnumMap<>(ProcessorUse.class);
        for (ProcessorUse use : ProcessorUse.values()) {
            values.put(use, factor * (1 + use.ordinal()));
        }
        return values;
    }

    private static ProcessorTable table() {
        ProcessorReport node =
                new ProcessorReport(2, 99, ProcessorTimes.NONE, List.of(THREAD, OWN));
        return new ProcessorTable(List.of(node, node), node.total().plus(node.total()), 1);
    }

    @Test
    void table_hasARowForEachNodeAndThread() {
        List<String> lines = table().format(true).lines().map(String::stripTrailing).toList();

        List<String> rows =
                List.of(
                        "node 0",
                        "  thread 0",
                        "  own thread 0",
                        "node 1",
                        "  thread 0",
                        "  own thread 0",
                        "all");
        List<String> firsts = lines.stream().map(line -> line.split("(?<=\\S) {2,}")[0]).toList();
        assertEquals(18, lines.size());
        assertEquals(List.of("", "time of processors"), firsts.subList(0, 2));
        assertEquals(rows, firsts.subList(2, 9));
        assertEquals(List.of("", "stalls of threads"), firsts.subList(9, 11));
        assertEquals(rows, firsts.subList(11, 18));
        assertTrue(lines.get(8).matches("all +4 +2\\.00 µs .* 10 ns +6"), lines.get(8));
        assertTrue(
                lines.get(17).matches("all +500 ns +24 +83 ns +8 +500 ns +12 +500 ns .*"),
                lines.get(17));
        assertEquals(2 * 5, table().format(false).lines().count());
    }

    @Test
    void json_hasThreadsNodesAndTotals() {
        JsonObject report =
                JsonParser.parseString(table().addTo("{\"seconds\": 0.10}")).getAsJsonObject();

        assertEquals("0.10", report.get("seconds").getAsString());
        JsonObject processors = report.getAsJsonObject("processors");
        JsonObject totals = processors.getAsJsonObject("totals");
        assertEquals(2 * 1_001, totals.get("busyNanos").getAsLong());
        assertEquals(2 * 9_009, totals.get("idleNanos").getAsLong());
        assertEquals(2 * 3, totals.get("switches").getAsLong());
        assertEquals(4 * 2, totals.get("memoryStallCount").getAsLong());
        assertEquals(4 * 300, totals.get("lockStallLatencyNanos").getAsLong());
        assertEquals(4 * 120, totals.get("lockStallWaitNanos").getAsLong());
        assertEquals(2 * 5, totals.get("awayNanos").getAsLong());
        assertEquals(2 * 5 * 1_001 / (8 + 12), totals.get("averageStallNanos").getAsLong());
        JsonObject node = processors.getAsJsonArray("perNode").get(1).getAsJsonObject();
        assertEquals(1, node.get("node").getAsInt());
        assertEquals(2, node.get("processors").getAsInt());
        assertEquals(99, node.get("elapsedNanos").getAsLong());
        JsonObject thread = node.getAsJsonArray("threads").get(0).getAsJsonObject();
        assertEquals(8, thread.get("switchingNanos").getAsLong());
        assertEquals(10, thread.get("runs").getAsLong());
        assertEquals(1, thread.get("averageStallNanos").getAsLong());
    }
}
