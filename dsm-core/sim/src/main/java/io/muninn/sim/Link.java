package io.muninn.sim;

import io.muninn.sim.delay.Delays;
import io.muninn.wire.WireMessage;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Optional;

/**
 * One direction of the connection between two nodes: messages arrive in order, one after another.
 */
public final class Link {
    /** A message in transit: as its sender made it, and encoded. */
    public record Frame(WireMessage message, byte[] bytes) {}

    private final int from;
    private final int to;
    private final ArrayDeque<Frame> frames = new ArrayDeque<>(2);
    private long freeNanos; // when the link has carried all accepted messages
    private long lastArrivalNanos;
    private long cloggedUntilNanos;
    private boolean cut;
    private boolean connected = true;
    private int attempt;

    Link(int from, int to) {
        this.from = from;
        this.to = to;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** The messages in transit, oldest first. */
    public Collection<Frame> frames() {
        return frames;
    }

    /** The message that arrives next, if any is in transit. */
    Optional<Frame> oldest() {
        return Optional.ofNullable(frames.peek());
    }

    /** Lets no message arrive before this time. */
    void clogUntil(long timeNanos) {
        cloggedUntilNanos = Math.max(cloggedUntilNanos, timeNanos);
    }

    /** Loses the messages in transit, and all that are sent from now on. */
    void cut() {
        frames.clear();
        cut = true;
    }

    boolean isCut() {
        return cut;
    }

    /** False while the two nodes are not connected: messages wait at their sender. */
    public boolean isConnected() {
        return connected;
    }

    /**
     * The number of the attempt that connected the nodes, from 1; 0 if they were connected from the
     * beginning, or are not connected yet.
     */
    public int attempt() {
        return attempt;
    }

    void disconnect() {
        if (!frames.isEmpty()) {
            throw new IllegalStateException("link " + from + " to " + to + " is in use");
        }
        connected = false;
    }

    void connect(int keptAttempt) {
        connected = true;
        attempt = keptAttempt;
    }

    /** Queues a message. */
    void accept(Frame frame) {
        frames.add(frame);
    }

    /**
     * Carries an accepted message of so many bytes; called in the order of acceptance.
     *
     * @return when it arrives, after all messages sent before it
     */
    long carry(int bytes, long nowNanos, Delays delays) {
        long start = Math.max(nowNanos, freeNanos);
        freeNanos = start + delays.transfer(bytes);
        long arrival = start + delays.message(from, to, bytes);
        lastArrivalNanos = Math.max(Math.max(arrival, cloggedUntilNanos), lastArrivalNanos);
        return lastArrivalNanos;
    }

    /** The earliest time at which a message may arrive: the link is clogged until then. */
    long notBeforeNanos() {
        return cloggedUntilNanos;
    }

    Frame deliver() {
        return frames.remove();
    }
}
