package io.muninn.sim;

import java.util.Map;
import java.util.TreeMap;

/** Messages and bytes that a node has sent, by kind of message. */
public final class Traffic {
    /** Messages of one kind, and their bytes with the frames' headers. */
    public record Sent(long messages, long bytes) {
        /** The sum of both. */
        public Sent plus(Sent other) {
            return new Sent(messages + other.messages, bytes + other.bytes);
        }
    }

    private final Map<String, Sent> byKind = new TreeMap<>();

    void count(String kind, int bytes) {
        byKind.merge(kind, new Sent(1, bytes), Sent::plus);
    }

    /** The messages by the name of their kind, in the order of names. */
    public Map<String, Sent> byKind() {
        return byKind;
    }

    public Sent total() {
        return byKind.values().stream().reduce(new Sent(0, 0), Sent::plus);
    }
}
