package io.muninn.report;

import io.muninn.kernel.RegionCounts;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.MalformedMessageException;
import java.util.List;
import java.util.Map;

/**
 * What one node counted in a run.
 *
 * @param node its id
 * @param engine what trapped its application
 * @param counters by {@link NodeCounter#code()}
 * @param byKind messages and bytes sent, by the message's kind
 * @param regions what it counted of each region
 */
public record NodeReport(
        int node,
        Engine engine,
        long[] counters,
        Map<String, Traffic> byKind,
        List<RegionCounts> regions) {
    /**
     * A fault engine.
     *
     * @param word protect and trap, for example {@code uffd+event}
     * @param way how the application came by it; empty where there is but one
     * @param why it was taken; empty where there was no choice
     */
    public record Engine(String word, String way, String why) {}

    /** Messages sent, and their bytes with frames. */
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

    public long value(NodeCounter counter) {
        return counters[counter.code()];
    }

    /** As bytes for the way to the root; {@link #decode} is its inverse. */
    public byte[] encode() {
        return ReportBytes.write(this);
    }

    /**
     * @throws MalformedMessageException if the bytes are no report
     */
    public static NodeReport decode(byte[] bytes) {
        return ReportBytes.read(bytes);
    }
}
