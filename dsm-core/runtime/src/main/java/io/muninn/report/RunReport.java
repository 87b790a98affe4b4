package io.muninn.report;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeThreads;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The report of a run.
 *
 * @param program name or class
 * @param version seq, mp, dsm, …; empty if the program has none
 * @param protocol the override of every annotation; {@code annotated} without one
 * @param threads processes and application threads of each node
 * @param readySeconds time from the launch of the run until all nodes had joined; absent if the
 *     nodes were not launched together
 * @param seconds duration of the parallel part, on the root
 * @param failure the failure; empty if the run succeeded
 * @param verified absent if the program verifies nothing
 * @param detail the program's text on its result
 * @param perNode reports in node order
 * @param regions the regions of shared memory
 * @param hasEveryPage true if the nodes report every page with counts
 */
public record RunReport(
        String program,
        String version,
        String protocol,
        int nodes,
        NodeThreads threads,
        OptionalDouble readySeconds,
        double seconds,
        Optional<RunFailure> failure,
        Optional<Boolean> verified,
        String detail,
        List<NodeReport> perNode,
        List<RegionSpec> regions,
        boolean hasEveryPage) {
    public RunReport {
        perNode = List.copyOf(perNode);
        regions = List.copyOf(regions);
    }

    /** The same report, which shows no single page. */
    RunReport withoutPages() {
        return new RunReport(
                program,
                version,
                protocol,
                nodes,
                threads,
                readySeconds,
                seconds,
                failure,
                verified,
                detail,
                perNode,
                regions,
                false);
    }

    /** The engines of all nodes, for example {@code uffd+event}; several if they differ. */
    public String engine() {
        return perNode.stream()
                .map(node -> node.engine().word())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
    }

    /** The sum over all nodes. */
    public long total(NodeCounter counter) {
        return perNode.stream().mapToLong(report -> report.value(counter)).sum();
    }

    /** The messages and bytes of all nodes, by kind, in order of name. */
    public Map<String, NodeReport.Traffic> totalByKind() {
        Map<String, NodeReport.Traffic> sum = new TreeMap<>();
        perNode.forEach(report ->
                report.byKind()
                        .forEach((kind, traffic) ->
                                sum.merge(kind, traffic, NodeReport.Traffic::plus)));
        return sum;
    }
}
