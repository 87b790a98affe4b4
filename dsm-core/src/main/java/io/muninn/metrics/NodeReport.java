package io.muninn.metrics;

import io.muninn.node.RegionCounts;
import io.muninn.protocol.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one node counted in a run.
 *
 * @param node its id
 * @param engine what trapped its application
 * @param counters by {@link Counter#code()}
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

    public long value(Counter counter) {
        return counters[counter.code()];
    }

    /** As bytes for the way to the root; {@link #decode} is its inverse. */
    public byte[] encode() {
        ReportBytes out = new ReportBytes();
        out.putInt(node);
        out.putText(engine.word());
        out.putText(engine.way());
        out.putText(engine.why());
        out.putLongs(counters);
        TreeMap<String, Traffic> kinds = new TreeMap<>(byKind);
        out.putInt(kinds.size());
        kinds.forEach((kind, traffic) -> {
            out.putText(kind);
            out.putLong(traffic.messages());
            out.putLong(traffic.bytes());
        });
        out.putInt(regions.size());
        regions.forEach(out::putRegion);
        return out.toArray();
    }

    /**
     * @throws IllegalArgumentException if the bytes are no report
     */
    public static NodeReport decode(byte[] bytes) {
        try {
            ReportBytes in = new ReportBytes(bytes);
            int node = in.getInt();
            Engine engine = new Engine(in.getText(), in.getText(), in.getText());
            long[] counters = in.getLongs();
            Map<String, Traffic> kinds = new TreeMap<>();
            for (int left = in.getInt(); left > 0; left--) {
                kinds.put(in.getText(), new Traffic(in.getLong(), in.getLong()));
            }
            List<RegionCounts> regions = new ArrayList<>();
            for (int left = in.getInt(); left > 0; left--) {
                regions.add(in.getRegion());
            }
            return new NodeReport(node, engine, counters, kinds, regions);
        } catch (java.nio.BufferUnderflowException e) {
            throw new IllegalArgumentException("a report of " + bytes.length + " bytes", e);
        }
    }
}
