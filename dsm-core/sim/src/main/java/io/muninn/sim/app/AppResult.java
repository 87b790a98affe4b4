package io.muninn.sim.app;

import io.muninn.api.Verdict;
import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.RegionCounts;
import io.muninn.sim.Traffic;
import io.muninn.sim.machine.NodeCounts;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.spi.NodeCounter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The result of a simulated run of a program.
 *
 * @param verdict the root's verdict; unchecked if the run ended before
 * @param failure why the run ended early, if it did
 * @param seconds virtual time of the parallel part, as the root sees it; 0 if it did not end
 * @param nodes counts of each node until the root had verified, in order of node
 * @param regions the regions at the end
 * @param nanos virtual time of the last action
 * @param steps number of steps of all kernels
 * @param traceHash equal for equal runs
 */
public record AppResult(
        Verdict verdict,
        Optional<Failure> failure,
        double seconds,
        List<Node> nodes,
        List<RegionSpec> regions,
        long nanos,
        long steps,
        long traceHash) {
    /**
     * Why a run failed.
     *
     * @param text as the nodes of a live run would print it
     * @param cause exception of the program; empty if the run ended without one
     */
    public record Failure(String text, Optional<Throwable> cause) {}

    /**
     * The counts of one node.
     *
     * @param counters the value of every counter
     * @param byKind messages and bytes sent, by the message's kind
     * @param regions counts of each region
     * @param computeNanos virtual time of work and accesses, summed over its threads
     * @param processors use of its processors
     * @param hardware use of its buses and caches, in a run with a model of them
     */
    public record Node(
            Map<NodeCounter, Long> counters,
            Map<String, Traffic.Sent> byKind,
            List<RegionCounts> regions,
            long computeNanos,
            ProcessorReport processors,
            Optional<NodeCounts> hardware) {
        public Node {
            regions = List.copyOf(regions);
            counters = Collections.unmodifiableMap(new EnumMap<>(counters));
            byKind = Collections.unmodifiableMap(new TreeMap<>(byKind));
        }

        public long value(NodeCounter counter) {
            return counters.getOrDefault(counter, 0L);
        }
    }

    public AppResult {
        nodes = List.copyOf(nodes);
        regions = List.copyOf(regions);
    }

    /** True if the run came to its end and its result is not wrong. */
    public boolean isGood() {
        return failure.isEmpty() && (verdict.right() || !verdict.checked());
    }

    /** Sum over all nodes. */
    public long total(NodeCounter counter) {
        return nodes.stream().mapToLong(node -> node.value(counter)).sum();
    }

    /** The use of the processors of all nodes. */
    public ProcessorTimes processorTimes() {
        return nodes.stream()
                .map(node -> node.processors().total())
                .reduce(ProcessorTimes.NONE, ProcessorTimes::plus);
    }

    /** Messages and bytes sent by all nodes, by the message's kind, in order of kinds. */
    public Map<String, Traffic.Sent> byKind() {
        Map<String, Traffic.Sent> all = new TreeMap<>();
        nodes.forEach(node ->
                node.byKind().forEach((kind, sent) -> all.merge(kind, sent, Traffic.Sent::plus)));
        return all;
    }
}
