package io.muninn.metrics;

import io.muninn.protocol.Counter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one node counted in a run.
 *
 * @param node its id
 * @param counters by {@link Counter#code()}
 * @param byKind messages and bytes sent, by the message's kind
 */
public record NodeReport(int node, long[] counters, Map<String, Traffic> byKind) {
    /** Messages sent, and their bytes with frames. */
    public record Traffic(long messages, long bytes) {
        public Traffic plus(Traffic other) {
            return new Traffic(messages + other.messages, bytes + other.bytes);
        }
    }

    public NodeReport {
        counters = counters.clone();
        byKind = Map.copyOf(byKind);
    }

    public long value(Counter counter) {
        return counters[counter.code()];
    }

    /** As bytes for the way to the root; {@link #decode} is its inverse. */
    public byte[] encode() {
        TreeMap<String, Traffic> kinds = new TreeMap<>(byKind);
        int size = 12 + 8 * counters.length;
        for (String kind : kinds.keySet()) {
            size += 4 + kind.getBytes(StandardCharsets.UTF_8).length + 16;
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        out.putInt(node).putInt(counters.length);
        for (long counter : counters) {
            out.putLong(counter);
        }
        out.putInt(kinds.size());
        kinds.forEach((kind, traffic) -> {
            byte[] utf8 = kind.getBytes(StandardCharsets.UTF_8);
            out.putInt(utf8.length).put(utf8);
            out.putLong(traffic.messages()).putLong(traffic.bytes());
        });
        return out.array();
    }

    /**
     * @throws IllegalArgumentException if the bytes are no report
     */
    public static NodeReport decode(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            int node = in.getInt();
            long[] counters = new long[Math.min(in.getInt(), bytes.length / 8)];
            for (int i = 0; i < counters.length; i++) {
                counters[i] = in.getLong();
            }
            Map<String, Traffic> kinds = new TreeMap<>();
            int count = in.getInt();
            for (int i = 0; i < count; i++) {
                byte[] utf8 = new byte[Math.min(in.getInt(), in.remaining())];
                in.get(utf8);
                kinds.put(
                        new String(utf8, StandardCharsets.UTF_8),
                        new Traffic(in.getLong(), in.getLong()));
            }
            return new NodeReport(node, counters, kinds);
        } catch (java.nio.BufferUnderflowException e) {
            throw new IllegalArgumentException("a report of " + bytes.length + " bytes", e);
        }
    }
}
