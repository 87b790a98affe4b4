package io.muninn.metrics;

import io.muninn.protocol.Counter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports to test with: node 0 counted 100 + code of everything, node 1 twice that. */
final class Reports {
    private Reports() {}

    static RunReport run(Optional<Boolean> verified) {
        return new RunReport(
                "diff",
                "dsm",
                "annotated",
                2,
                1,
                "uffd+event",
                1.25,
                verified,
                "equal",
                List.of(node(0), node(1)));
    }

    static NodeReport node(int node) {
        long[] counters = new long[Counter.values().length];
        for (Counter counter : Counter.values()) {
            counters[counter.code()] = (100L + counter.code()) * (node + 1);
        }
        Map<String, NodeReport.Traffic> kinds =
                node == 0
                        ? Map.of("update", new NodeReport.Traffic(5, 500))
                        : Map.of(
                                "update", new NodeReport.Traffic(7, 700),
                                "fetch-request", new NodeReport.Traffic(1, 12));
        return new NodeReport(node, counters, kinds);
    }
}
