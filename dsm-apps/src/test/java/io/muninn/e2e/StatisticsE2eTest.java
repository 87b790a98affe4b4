package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.kernel.PageCount;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.processor.ProcessorUse;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counts of regions and pages, live and simulated, with false sharing and without. */
@Tag("e2e")
class StatisticsE2eTest {
    private static final int NODES = 4;
    private static final String OPTIONS = DsmRun.QUICK + "-n " + NODES + " --no-table ";

    /** Every node writes elements of every page. */
    private static final String FALSE_SHARE = "falseshare --rounds 20";

    /** Bands of whole pages: no page has two writers. */
    private static final String DIFF = "diff --rows 66 --columns 512 --sweeps 10";

    private static JsonObject falselyShared = new JsonObject();

    /** A run serves several tests. */
    @BeforeAll
    static void run() throws InterruptedException {
        falselyShared = DsmRun.report(OPTIONS, FALSE_SHARE);
    }

    @Test
    void falselySharedPages_areSuspectedWithTheirElements() {
        JsonObject elements = region(falselyShared, "elements");

        assertTrue(count(elements, "falselyShared") > 0, elements::toString);
        assertEquals(0, count(elements, "conflicting"), elements::toString);
        assertFalse(elements.has("perPage"));
        JsonObject page = elements.getAsJsonArray("suspectedPages").get(0).getAsJsonObject();
        JsonObject range = page.getAsJsonArray("elements").get(0).getAsJsonObject();
        int first = 1024 * page.get("page").getAsInt();
        assertEquals("elements", range.get("variable").getAsString());
        assertEquals(first, range.get("first").getAsInt());
        assertEquals(first + 1023, range.get("last").getAsInt());
        assertFalse(page.getAsJsonArray("nodes").isEmpty());
    }

    @Tag("slow")
    @Test
    void bandsOfWholePages_areNotSuspected() throws InterruptedException {
        JsonObject banded = DsmRun.report(OPTIONS + "--pages", DIFF);
        assertAddUp(banded);
        JsonObject grid = region(banded, "grid");
        assertTrue(count(grid, "diffsApplied") > 0, grid::toString);
        assertEquals(0, count(grid, "falselyShared"), grid::toString);
        assertTrue(grid.getAsJsonArray("suspectedPages").isEmpty(), grid::toString);
        for (String key : List.of("readFaults", "writeFaults", "pagesFetched", "bytes")) {
            long sum = 0;
            for (JsonElement page : grid.getAsJsonArray("perPage")) {
                sum += count(page.getAsJsonObject(), key);
            }
            assertEquals(count(grid, key), sum, key);
        }
    }

    @Test
    void regions_addUpToTheTotalsOfTheRun() {
        assertAddUp(falselyShared);
    }

    private static void assertAddUp(JsonObject report) {
        JsonObject totals = report.getAsJsonObject("totals");
        for (String key :
                List.of("readFaults", "writeFaults", "pagesFetched", "diffsMade", "diffsApplied")) {
            long sum = 0;
            for (JsonElement region : report.getAsJsonArray("regions")) {
                sum += count(region.getAsJsonObject(), key);
            }
            assertEquals(count(totals, key), sum, key);
        }
        JsonObject blocked = report.getAsJsonObject("blocked").getAsJsonObject("totals");
        assertEquals(
                count(totals, "faultNanos"),
                count(blocked, "loadNanos") + count(blocked, "storeNanos"));
        assertTrue(count(blocked, "loadNanos") > 0, blocked::toString);
        assertEquals(count(totals, "barrierNanos"), count(blocked, "barrierNanos"));
    }

    @Tag("slow")
    @Test
    void table_namesWhatIsFalselyShared() throws InterruptedException {
        DsmRun.run("run " + DsmRun.QUICK + "-n 3 --stats " + FALSE_SHARE)
                .assertStatus(0)
                .assertOut("write-shared")
                .assertOut("false sharing suspected: elements, ")
                .assertOut("blocked: loads ");
    }

    @Test
    void simulator_suspectsTheSame() {
        assertTrue(simulated(FALSE_SHARE, PageCount.FALSELY_SHARED) > 0);
        assertEquals(0, simulated(FALSE_SHARE, PageCount.CONFLICTING));
        assertTrue(simulated(DIFF, PageCount.DIFFS_APPLIED) > 0);
        assertEquals(0, simulated(DIFF, PageCount.FALSELY_SHARED));
    }

    @Test
    void simulatedRun_saysWhatItsProcessorsWereUsedFor() throws InterruptedException {
        DsmRun.Result run =
                DsmRun.run(
                        "sim -n 2 --threads 3 --processors 1 --switch-cost 5 --arrival-cost 2"
                                + " --stats --json - "
                                + FALSE_SHARE);

        run.assertStatus(0).assertErr("time of processors").assertErr("  thread 2");
        JsonObject processors =
                JsonParser.parseString(run.out()).getAsJsonObject().getAsJsonObject("processors");
        long runtimeNanos = 0;
        for (JsonElement each : processors.getAsJsonArray("perNode")) {
            JsonObject node = each.getAsJsonObject();
            long sum =
                    Stream.of(ProcessorUse.values())
                            .mapToLong(use -> count(node, use.key() + "Nanos"))
                            .sum();
            assertEquals(1, count(node, "processors"));
            assertEquals(count(node, "elapsedNanos"), sum, node::toString);
            assertEquals(5_000 * count(node, "switches"), count(node, "switchingNanos"));
            assertEquals(3, node.getAsJsonArray("threads").size());
            runtimeNanos += count(node, "runtimeNanos");
        }
        assertTrue(runtimeNanos > 0, run.out()); // some message has interrupted a thread
    }

    private static JsonObject region(JsonObject report, String name) {
        for (JsonElement region : report.getAsJsonArray("regions")) {
            if (region.getAsJsonObject().get("region").getAsString().equals(name)) {
                return region.getAsJsonObject();
            }
        }
        throw new AssertionError("no region " + name + " in " + report);
    }

    private static long count(JsonObject counts, String key) {
        return counts.get(key).getAsLong();
    }

    private static long simulated(String words, PageCount count) {
        List<String> all = List.of(words.split(" "));
        BuiltInProgram program =
                ServiceLoader.load(BuiltInProgram.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(known -> known.name().equals(all.getFirst()))
                        .findFirst()
                        .orElseThrow();
        AppResult result = AppRun.of(() -> program.create(all.subList(1, all.size())), NODES).run();
        assertTrue(result.isGood(), result::toString);
        return result.nodes().stream()
                .flatMap(node -> node.regions().stream())
                .mapToLong(region -> region.total(count))
                .sum();
    }
}
