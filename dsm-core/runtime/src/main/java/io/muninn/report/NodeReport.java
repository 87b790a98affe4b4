package io.muninn.report;

import io.muninn.kernel.RegionCounts;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.MalformedMessageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counts of one node in a run.
 *
 * @param node the node's id
 * @param engine the engine that trapped its application
 * @param pids of its processes
 * @param counters counters by {@link NodeCounter#code()}
 * @param byKind messages and bytes sent, by the message's kind
 * @param regions the counts of each region
 * @param timeLine what its threads waited for, if the run has recorded it
 */
public record NodeReport(
        int node,
        Engine engine,
        Pids pids,
        long[] counters,
        Map<String, Traffic> byKind,
        List<RegionCounts> regions,
        Optional<TimeLine> timeLine) {
    /**
     * A fault engine.
     *
     * @param word mechanism and trap, for example {@code uffd+event}
     * @param way how the application set it up; empty if there is only one way
     * @param why the reason for its choice; empty if there was no choice
     */
    public record Engine(String word, String way, String why) {}

    /**
     * The numbers of processes, on their host.
     *
     * @param agent 0 for a simulated node
     * @param applications in order of the node's processes
     */
    public record Pids(long agent, List<Long> applications) {
        public static final Pids NONE = new Pids(0, List.of());

        public Pids {
            applications = List.copyOf(applications);
        }
    }

    /** Number of messages sent, and their bytes including frames. */
    public record Traffic(long messages, long bytes) {
        public Traffic plus(Traffic other) {
            return new Traffic(messages + other.messages, bytes + other.bytes);
        }
    }

    public NodeReport {
        counters = counters.clone();
        byKind = Map.copyOf(byKind);
        regions = List.copyOf(regions);
    }

    /** A report without a time line. */
    public NodeReport(
            int node,
            Engine engine,
            Pids pids,
            long[] counters,
            Map<String, Traffic> byKind,
            List<RegionCounts> regions) {
        this(node, engine, pids, counters, byKind, regions, Optional.empty());
    }

    /** The same report with a time line. */
    public NodeReport with(TimeLine line) {
        return new NodeReport(node, engine, pids, counters, byKind, regions, Optional.of(line));
    }

    public long value(NodeCounter counter) {
        return counters[counter.code()];
    }

    /** Encodes the report for transfer to the root; {@link #decode} is its inverse. */
    public byte[] encode() {
        return ReportBytes.write(this);
    }

    /**
     * @throws MalformedMessageException if the bytes are not a report
     */
    public static NodeReport decode(byte[] bytes) {
        return ReportBytes.read(bytes);
    }
}
