package io.muninn.report;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.kernel.PageCount;
import io.muninn.kernel.RegionCounts;
import io.muninn.model.NodeThreads;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reports to test with: node 0 counted 100 + code of everything, node 1 twice that. */
final class Reports {
    /** Four pages with one variable of 1500 doubles. */
    static final RegionSpec GRID =
            new RegionSpec(
                    0,
                    "grid",
                    Protocol.WRITE_SHARED,
                    0,
                    4 * 4096,
                    8,
                    1,
                    List.of(new VariableSpec("grid", "double[1500]", 0, 12_000)));

    static final NodeReport.Pids PIDS = new NodeReport.Pids(4711, List.of(4712L, 99_999L));

    static final NodeReport.Engine ENGINE =
            new NodeReport.Engine("uffd+event", "the system call", "auto, it was there");

    private Reports() {}

    static RunReport run(Optional<Boolean> verified) {
        return run(verified, Optional.empty());
    }

    static RunReport failed(RunFailure failure) {
        return run(Optional.empty(), Optional.of(failure));
    }

    private static RunReport run(Optional<Boolean> verified, Optional<RunFailure> failure) {
        return new RunReport(
                "diff",
                "dsm",
                "annotated",
                2,
                new NodeThreads(1, 1),
                OptionalDouble.of(0.312),
                1.25,
                failure,
                verified,
                "equal",
                List.of(node(0), node(1)),
                List.of(GRID),
                true);
    }

    static NodeReport node(int node) {
        long[] counters = new long[NodeCounter.values().length];
        for (NodeCounter counter : NodeCounter.values()) {
            counters[counter.code()] = (100L + counter.code()) * (node + 1);
        }
        Map<String, NodeReport.Traffic> kinds =
                node == 0
                        ? Map.of("update", new NodeReport.Traffic(5, 500))
                        : Map.of(
                                "update", new NodeReport.Traffic(7, 700),
                                "fetch-request", new NodeReport.Traffic(1, 12));
        return new NodeReport(node, ENGINE, PIDS, counters, kinds, List.of(grid(node)));
    }

    /** Page 1 is falsely shared, page 2 is not; every total is 10 + code, on node 1 twice that. */
    private static RegionCounts grid(int node) {
        long[] totals = new long[PageCount.values().length];
        long[] suspected = new long[totals.length];
        long[] usual = new long[totals.length];
        for (PageCount count : PageCount.values()) {
            totals[count.code()] = (10L + count.code()) * (node + 1);
            usual[count.code()] = count == PageCount.READ_FAULTS ? 3 : 0;
        }
        suspected[PageCount.FALSELY_SHARED.code()] = 7;
        return new RegionCounts(
                0,
                totals,
                Map.of("update", new RegionCounts.Sent(2, 200)),
                List.of(new RegionCounts.OfPage(1, suspected), new RegionCounts.OfPage(2, usual)));
    }
}
