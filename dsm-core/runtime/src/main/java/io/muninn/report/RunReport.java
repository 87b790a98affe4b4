package io.muninn.report;

import io.muninn.api.spi.RegionSpec;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A run and what it took.
 *
 * @param program name or class
 * @param version seq, mp, dsm, …; empty when the program has none
 * @param protocol the override of every annotation; {@code annotated} without one
 * @param threads application threads per node
 * @param readySeconds from the launch of the run to the moment at which all nodes had joined;
 *     absent when the nodes were not launched together
 * @param seconds the parallel part, on the root
 * @param failure why it did not end well; empty if it did
 * @param verified absent when the program verifies nothing
 * @param detail the program's word on its result
 * @param perNode in order of node
 * @param regions the shared memory
 * @param hasEveryPage whether the nodes report every page they counted something of
 */
public record RunReport(
        String program,
        String version,
        String protocol,
        int nodes,
        int threads,
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

    /** Of all nodes: protect and trap, for example {@code uffd+event}; several if they differ. */
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

    /** Messages and bytes over all nodes, by kind, in order of name. */
    public Map<String, NodeReport.Traffic> totalByKind() {
        Map<String, NodeReport.Traffic> sum = new TreeMap<>();
        perNode.forEach(report ->
                report.byKind()
                        .forEach((kind, traffic) ->
                                sum.merge(kind, traffic, NodeReport.Traffic::plus)));
        return sum;
    }
}
