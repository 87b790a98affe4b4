package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.kernel.PageCount;
import io.muninn.model.NodeThreads;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
    @Test
    void object_hasTheKeysOfTheContract() {
        JsonObject json = parse(Reports.run(Optional.of(true)));

        assertTrue(
                json.keySet()
                        .containsAll(
                                Set.of(
                                        "program",
                                        "version",
                                        "protocol",
                                        "nodes",
                                        "processes",
                                        "threads",
                                        "engine",
                                        "readySeconds",
                                        "seconds",
                                        "verified",
                                        "totals",
                                        "perNode")));
        assertEquals("diff", json.get("program").getAsString());
        assertEquals(2, json.get("nodes").getAsInt());
        assertEquals(0.312, json.get("readySeconds").getAsDouble());
        assertEquals(1.25, json.get("seconds").getAsDouble());
        assertTrue(json.get("verified").getAsBoolean());
    }

    @Test
    void perNode_hasEveryCounterAndTotalsTheirSums() {
        RunReport report = Reports.run(Optional.of(true));
        JsonObject json = parse(report);
        JsonArray perNode = json.getAsJsonArray("perNode");
        JsonObject totals = json.getAsJsonObject("totals");

        assertEquals(1, perNode.get(1).getAsJsonObject().get("node").getAsInt());
        for (NodeCounter counter : NodeCounter.values()) {
            long first = perNode.get(0).getAsJsonObject().get(counter.key()).getAsLong();
            long second = perNode.get(1).getAsJsonObject().get(counter.key()).getAsLong();
            assertEquals(report.perNode().getFirst().value(counter), first, counter.key());
            assertEquals(first + second, totals.get(counter.key()).getAsLong(), counter.key());
        }
    }

    @Test
    void byKind_addsUpOverNodes() {
        JsonObject kinds =
                parse(Reports.run(Optional.of(true)))
                        .getAsJsonObject("totals")
                        .getAsJsonObject("byKind");

        assertEquals(12, kinds.getAsJsonObject("update").get("messages").getAsLong());
        assertEquals(1200, kinds.getAsJsonObject("update").get("bytes").getAsLong());
        assertEquals(1, kinds.getAsJsonObject("fetch-request").get("messages").getAsLong());
    }

    @Test
    void regions_haveEveryCountAndTheirPages() {
        JsonObject grid =
                parse(Reports.run(Optional.of(true)))
                        .getAsJsonArray("regions")
                        .get(0)
                        .getAsJsonObject();

        assertEquals("grid", grid.get("region").getAsString());
        assertEquals("write-shared", grid.get("protocol").getAsString());
        for (PageCount count : PageCount.values()) {
            assertEquals(3 * (10 + count.code()), grid.get(count.key()).getAsLong(), count.key());
        }
        assertEquals(
                4,
                grid.getAsJsonObject("byKind")
                        .getAsJsonObject("update")
                        .get("messages")
                        .getAsInt());
        JsonArray pages = grid.getAsJsonArray("perPage");
        assertEquals(2, pages.size());
        JsonObject last = pages.get(1).getAsJsonObject();
        assertEquals(6, last.get("readFaults").getAsInt());
        assertEquals(
                "[{\"variable\":\"grid\",\"first\":1024,\"last\":1499}]",
                last.get("elements").toString());
    }

    @Test
    void suspectedPages_nameElementsAndNodes() {
        JsonArray suspected =
                parse(Reports.run(Optional.of(true)))
                        .getAsJsonArray("regions")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonArray("suspectedPages");

        assertEquals(
                "[{\"page\":1,\"elements\":[{\"variable\":\"grid\",\"first\":512,\"last\":1023}],"
                        + "\"nodes\":[0,1],\"falselyShared\":14,\"conflicting\":0,\"storedAt\":[]}]",
                suspected.toString());
    }

    @Test
    void blockedTime_isToldByCause() {
        JsonObject blocked = parse(Reports.run(Optional.of(true))).getAsJsonObject("blocked");

        JsonObject totals = blocked.getAsJsonObject("totals");
        assertEquals(3 * 12, totals.get("loadNanos").getAsLong());
        assertEquals(3 * 13, totals.get("storeNanos").getAsLong());
        assertEquals(348, totals.get("lockNanos").getAsLong());
        assertEquals(
                24,
                blocked.getAsJsonArray("perNode")
                        .get(1)
                        .getAsJsonObject()
                        .get("loadNanos")
                        .getAsLong());
    }

    @Test
    void programThatVerifiesNothing_saysNull() {
        assertTrue(parse(Reports.run(Optional.empty())).get("verified").isJsonNull());
    }

    @Test
    void text_isEscaped() {
        String detail = "say \"no\" to \\ and\ttabs, \u0001 and \u2028";
        RunReport report =
                new RunReport(
                        "p",
                        "",
                        "annotated",
                        1,
                        new NodeThreads(1, 1),
                        OptionalDouble.empty(),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        detail,
                        List.of(),
                        List.of(),
                        false);

        assertEquals(detail, parse(report).get("detail").getAsString());
        assertTrue(parse(report).get("readySeconds").isJsonNull());
    }

    @Test
    void failure_isStatusCauseAndNode() {
        RunReport good = Reports.run(Optional.of(true));
        RunReport failed = Reports.failed(new RunFailure(3, OptionalInt.of(1), "node 1 is lost"));
        RunReport nowhere = Reports.failed(new RunFailure(1, OptionalInt.empty(), "no memory"));

        assertEquals(0, parse(good).get("status").getAsInt());
        assertTrue(parse(good).get("cause").isJsonNull());
        assertTrue(parse(good).get("node").isJsonNull());
        assertEquals(3, parse(failed).get("status").getAsInt());
        assertEquals("node 1 is lost", parse(failed).get("cause").getAsString());
        assertEquals(1, parse(failed).get("node").getAsInt());
        assertEquals("no memory", parse(nowhere).get("cause").getAsString());
        assertTrue(parse(nowhere).get("node").isJsonNull());
    }

    private static JsonObject parse(RunReport report) {
        return JsonParser.parseString(ReportJson.format(report)).getAsJsonObject();
    }
}
