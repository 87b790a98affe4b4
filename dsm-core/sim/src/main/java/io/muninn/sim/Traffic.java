package io.muninn.sim;

import java.util.Map;
import java.util.TreeMap;

/** Messages and bytes that a node has sent, by kind of message. */
public final class Traffic {
    /**
     * Messages of one kind.
     *
     * @param bytes with the frames' headers
     * @param contentBytes those of page images and diffs among them
     */
    public record Sent(long messages, long bytes, long contentBytes) {
        public static final Sent NOTHING = new Sent(0, 0, 0);

        /** What has been sent since. */
        public Sent minus(Sent before) {
            return new Sent(
                    messages - before.messages,
                    bytes - before.bytes,
                    contentBytes - before.contentBytes);
        }

        /** The sum of both. */
        public Sent plus(Sent other) {
            return new Sent(
                    messages + other.messages,
                    bytes + other.bytes,
                    contentBytes + other.contentBytes);
        }
    }

    private final Map<String, Sent> byKind = new TreeMap<>();

    void count(String kind, int bytes, long contentBytes) {
        byKind.merge(kind, new Sent(1, bytes, contentBytes), Sent::plus);
    }

    /** The messages by the name of their kind, in the order of names. */
    public Map<String, Sent> byKind() {
        return byKind;
    }

    public Sent total() {
        return byKind.values().stream().reduce(Sent.NOTHING, Sent::plus);
    }
}
