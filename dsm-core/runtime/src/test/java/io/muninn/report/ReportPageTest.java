package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.model.BarrierId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.WaiterId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReportPageTest {
    private static final long MILLI = 1_000_000;

    private static NodeReport recorded(int node) {
        WaitRecorder recorder = new WaitRecorder(WaitRecorder.Limits.of(2, 1), 0);
        recorder.accept(Wait.atPage(0, new PageId(0, 2), true, 5 * MILLI, 7 * MILLI));
        recorder.storedAt(new PageId(0, 1), "Grid.set(Grid.java:7)", 1);
        recorder.storedAt(new PageId(0, 2), "Grid.set(Grid.java:8)", 1); // not falsely shared
        BarrierId barrier = new BarrierId("</script>");
        recorder.accept(
                Wait.inCall(
                        new Event.BarrierReached(
                                new WaiterId(MappingId.FIRST, 0), barrier, 2, -1, Bytes.EMPTY),
                        (10 + node) * MILLI,
                        12 * MILLI));
        return Reports.node(node).with(recorder.timeLine(20 * MILLI));
    }

    private static RunReport run(List<NodeReport> nodes, String program) {
        return new RunReport(
                program,
                "dsm",
                "annotated",
                nodes.size(),
                new NodeThreads(1, 1),
                OptionalDouble.of(0.3),
                1.25,
                Optional.empty(),
                Optional.of(true),
                "equal",
                nodes,
                List.of(Reports.GRID),
                true);
    }

    private static JsonObject data(String page) {
        String begin = "<script type=\"application/json\" id=\"data\">";
        int from = page.indexOf(begin) + begin.length();
        return JsonParser.parseString(page.substring(from, page.indexOf("</script>", from)))
                .getAsJsonObject();
    }

    @Test
    void run_isThatOfTheJsonWithoutSinglePages() {
        RunReport report = run(List.of(recorded(0), recorded(1)), "diff");

        JsonObject run = data(ReportPage.format(report)).getAsJsonObject("run");

        JsonObject json =
                JsonParser.parseString(ReportJson.format(report.withoutPages())).getAsJsonObject();
        assertEquals(json, run);
        assertFalse(run.getAsJsonArray("regions").get(0).getAsJsonObject().has("perPage"));
    }

    @Test
    void waits_standWithTheirThreadAndWhatTheyAreAbout() {
        JsonObject data = data(ReportPage.format(run(List.of(recorded(0), recorded(1)), "diff")));

        JsonArray waits = data.getAsJsonArray("waits");
        assertEquals(4, waits.size());
        List<String> all = new ArrayList<>();
        waits.forEach(wait -> all.add(wait.toString()));
        assertTrue(all.contains("[1,1,0,2,5000,2000]"), all::toString); // thread 1 of the page
        assertTrue(all.contains("[0,3,-1,0,10000,2000]"), all::toString);
        assertEquals("</script>", data.getAsJsonArray("names").get(0).getAsString());
        JsonObject second = data.getAsJsonArray("threads").get(1).getAsJsonObject();
        assertEquals(1, second.get("node").getAsInt());
        assertEquals(2 * MILLI, second.getAsJsonArray("nanos").get(1).getAsLong());
        JsonObject path = data.getAsJsonObject("path");
        assertEquals(12 * MILLI, path.get("nanos").getAsLong());
        assertEquals(2 * MILLI, path.getAsJsonObject("sums").get("pages").getAsLong());
    }

    @Test
    void falselySharedPages_nameTheLinesThatStoreToThem() {
        JsonObject run =
                data(ReportPage.format(run(List.of(recorded(0), recorded(1)), "diff")))
                        .getAsJsonObject("run");

        JsonArray pages =
                run.getAsJsonArray("regions")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonArray("suspectedPages");
        assertEquals(1, pages.size());
        assertEquals(
                "[{\"node\":0,\"line\":\"Grid.set(Grid.java:7)\",\"times\":1},"
                        + "{\"node\":1,\"line\":\"Grid.set(Grid.java:7)\",\"times\":1}]",
                pages.get(0).getAsJsonObject().get("storedAt").toString());
    }

    @Test
    void page_refersToNothingElse() {
        String page = ReportPage.format(run(List.of(recorded(0), recorded(1)), "<b>&"));

        assertFalse(page.contains("http://"), "an address");
        assertFalse(page.contains("https://"), "an address");
        assertFalse(page.contains("src="), "another file");
        assertTrue(page.contains("<h1>&lt;b>&amp; on 2 nodes</h1>"));
    }

    /** A long run of four nodes with as many waits as they can have. */
    @Test
    void longRun_makesASmallPage() {
        List<NodeReport> nodes = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(2);
        for (int node = 0; node < 4; node++) {
            WaitRecorder recorder = new WaitRecorder(WaitRecorder.Limits.of(4, 1), 0);
            long at = 0;
            while (at < 10_000 * MILLI) {
                at += random.nextLong(10_000, 90_000);
                long end = at + random.nextLong(10_000, 200_000);
                PageId page = new PageId(0, random.nextInt(100_000));
                recorder.accept(Wait.atPage(0, page, random.nextBoolean(), at, end));
                recorder.accept(
                        Wait.inCall(
                                new Event.BarrierReached(
                                        new WaiterId(MappingId.FIRST, 0),
                                        new BarrierId("sweep"),
                                        4,
                                        -1,
                                        Bytes.EMPTY),
                                end,
                                end + 1000));
                at = end + 1000;
            }
            nodes.add(Reports.node(node).with(recorder.timeLine(at)));
        }

        int bytes = ReportPage.format(run(nodes, "long")).getBytes(StandardCharsets.UTF_8).length;

        assertTrue(bytes < 2 << 20, () -> bytes + " bytes");
    }

    @Test
    void runThatRecordedNothing_hasAPage() {
        JsonObject data =
                data(ReportPage.format(run(List.of(Reports.node(0), Reports.node(1)), "diff")));

        assertEquals(0, data.getAsJsonArray("threads").size());
        assertEquals(0, data.getAsJsonObject("path").get("nanos").getAsLong());
    }
}
