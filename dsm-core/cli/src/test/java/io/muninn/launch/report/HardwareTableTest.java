package io.muninn.launch.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.sim.machine.CacheCounts;
import io.muninn.sim.machine.NodeCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

class HardwareTableTest {
    private static final NodeCounts NODE =
            new NodeCounts(
                    List.of(new CacheCounts(1, 20, 300, 4_000), new CacheCounts(1, 1, 1, 1)),
                    new NodeCounts.Use(11, 12),
                    new NodeCounts.Use(13, 14),
                    new NodeCounts.Use(15, 16),
                    17,
                    18);

    @Test
    void table_hasARowForEachNodeWithTheSumsOfItsCaches() {
        List<String> lines = new HardwareTable(List.of(NODE, NODE)).format().lines().toList();

        assertEquals(4, lines.size());
        assertTrue(lines.get(1).startsWith("caches and buses"), lines.get(1));
        String row = "node 1 +2 +21 +301 +4001 +11 ns +12 ns +13 ns +14 ns +15 ns +16 ns +17 +18 B";
        assertTrue(lines.get(3).strip().matches(row), lines.get(3));
    }

    @Test
    void json_hasAnObjectForEachNode() {
        String text = new HardwareTable(List.of(NODE)).addTo("{\"seconds\": 0.10}");

        JsonObject report = JsonParser.parseString(text).getAsJsonObject();
        assertEquals("0.10", report.get("seconds").getAsString());
        JsonObject node = report.getAsJsonArray("hardware").get(0).getAsJsonObject();
        assertEquals(0, node.get("node").getAsInt());
        assertEquals(21, node.get("stores").getAsLong());
        assertEquals(301, node.get("l2Hits").getAsLong());
        assertEquals(12, node.get("memoryBusWaitNanos").getAsLong());
        assertEquals(15, node.get("networkInterfaceNanos").getAsLong());
        assertEquals(18, node.get("updateBytes").getAsLong());
    }

    @Test
    void runWithoutHardware_hasNeither() {
        HardwareTable table = new HardwareTable(List.of());

        assertEquals("", table.format());
        assertEquals("{}", table.addTo("{}"));
    }
}
