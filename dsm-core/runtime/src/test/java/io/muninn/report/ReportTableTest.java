package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeThreads;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ReportTableTest {
    @Test
    void table_hasARowPerNodeAndOneForAll() {
        assertEquals(
                """
                diff (dsm): 2 nodes of 1 thread, protocols annotated, engine uffd+event, ready after 312 ms, 1.25 s, verified
                        read   write    pages  diffs    diffs  messages  bytes    blocked   blocked      blocked
                node  faults  faults  fetched   made  applied      sent   sent  in faults  in locks  in barriers
                0        100     101      102    105      107       118  119 B     115 ns    116 ns       117 ns
                1        200     202      204    210      214       236  238 B     230 ns    232 ns       234 ns
                all      300     303      306    315      321       354  357 B     345 ns    348 ns       351 ns

                messages by kind  sent     bytes
                update              12  1.17 KiB
                fetch-request        1      12 B

                remote words: 441 operations direct, 444 by a message each, 447 aggregated; 450 B

                pool: traps of threads entered 453 pages

                engine uffd+event (auto, it was there)
                """,
                ReportTable.format(Reports.run(Optional.of(true))));
    }

    @Test
    void wrongResult_isLoud() {
        String text = ReportTable.format(Reports.run(Optional.of(false)));

        assertTrue(text.lines().findFirst().orElse("").endsWith("WRONG RESULT"), text);
    }

    @Test
    void runWithoutRemoteWordsAndPool_mentionsNeither() {
        NodeReport.Engine engine = new NodeReport.Engine("uffd+event", "", "");
        long[] counters = new long[NodeCounter.values().length];
        NodeReport node =
                new NodeReport(
                        0, engine, NodeReport.Pids.NONE, counters, java.util.Map.of(), List.of());

        String text = ReportTable.format(run(1, 2.0, List.of(node)));

        assertFalse(text.contains("remote words") || text.contains("pool"), text);
    }

    /** One agent of two nodes: its time is counted for the first node only. */
    @Test
    void agentThatWasTheLimit_isNamedWithTheRemedy() {
        long[] counters = new long[NodeCounter.values().length];
        NodeReport.Engine engine = new NodeReport.Engine("uffd+event", "", "");
        NodeReport second =
                new NodeReport(
                        1, engine, NodeReport.Pids.NONE, counters, java.util.Map.of(), List.of());
        counters[NodeCounter.AGENT_NANOS.code()] = 1_800_000_000L;
        NodeReport first =
                new NodeReport(
                        0, engine, NodeReport.Pids.NONE, counters, java.util.Map.of(), List.of());

        String text = ReportTable.format(run(2, 2.0, List.of(first, second)));

        assertTrue(
                text.contains(
                        "the agent of nodes 0 to 1 was busy 90 % of the time; --agents 2 divides its"
                                + " work if there are processors for it"),
                text);
        assertFalse(ReportTable.format(run(2, 3.0, List.of(first, second))).contains("busy"));
        assertFalse(ReportTable.format(run(1, 2.0, List.of(first))).contains("busy"));
    }

    private static RunReport run(int nodes, double seconds, List<NodeReport> reports) {
        return new RunReport(
                "hello",
                "",
                "annotated",
                nodes,
                new NodeThreads(1, 1),
                OptionalDouble.empty(),
                seconds,
                Optional.empty(),
                Optional.empty(),
                "",
                reports,
                List.of(),
                false);
    }

    @Test
    void runWithoutMessages_hasNoTableOfKinds() {
        NodeReport silent =
                new NodeReport(
                        0,
                        new NodeReport.Engine("simulated", "", ""),
                        NodeReport.Pids.NONE,
                        new long[NodeCounter.values().length],
                        java.util.Map.of(),
                        List.of());
        RunReport report =
                new RunReport(
                        "hello",
                        "",
                        "annotated",
                        1,
                        new NodeThreads(1, 3),
                        OptionalDouble.empty(),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        "",
                        List.of(silent),
                        List.of(),
                        false);

        String text = ReportTable.format(report);

        assertTrue(text.startsWith("hello: 1 node of 3 threads, "), text);
        assertEquals(5, text.lines().count(), text);
    }
}
