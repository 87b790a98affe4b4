package io.muninn.sim;

import java.util.Map;
import java.util.TreeMap;

/** What a node has sent: messages and bytes, by kind of message. */
public final class Traffic {
    /** Messages of one kind, and their bytes with the frame's length. */
    public record Sent(long messages, long bytes) {
        /** Both together. */
        public Sent plus(Sent other) {
            return new Sent(messages + other.messages, bytes + other.bytes);
        }
    }

    private final Map<String, Sent> byKind = new TreeMap<>();

    void count(String kind, int bytes) {
        byKind.merge(kind, new Sent(1, bytes), Sent::plus);
    }

    /** By the name of the kind, in the order of names. */
    public Map<String, Sent> byKind() {
        return byKind;
    }

    public Sent total() {
        return byKind.values().stream().reduce(new Sent(0, 0), Sent::plus);
    }
}
