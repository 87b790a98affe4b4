package io.muninn.transport.stream;

import io.muninn.wire.WireMessage;
import java.time.Duration;

/** The path from this node to one other node: a stream to its agent, or this agent itself. */
public interface Link {
    /** Receives the events of a link; first the handshake, then its node. */
    interface Receiver {
        /** A frame has arrived. It is passed without its length and valid during the call. */
        void onFrame(ByteBufReader frame);

        /** A message has arrived that carries no bytes, from a node of this agent. */
        default void onRecord(WireMessage message) {
            throw new IllegalStateException("nobody awaits " + message.codec().name());
        }

        /**
         * Names what a frame is about whose bytes are wrong, as far as they show it: begins with a
         * space, or is empty. The reader compares payloads with their checksums.
         */
        default String about(ByteBufReader frame) {
            return "";
        }

        /**
         * The connection of a lasting link is cut. What is sent waits for the next connection, for
         * which the receiver has to care.
         */
        default void onCut(String reason) {
            throw new IllegalStateException("the link does not last: " + reason);
        }

        /** The link has another connection, and the other node gets what it lacks. */
        default void onHealed(LastingStream.Healing healing) {
            throw new IllegalStateException("the link does not last: " + healing);
        }

        /** The link has ended, not on request of this node. Called once, as the last call. */
        void onEnd(String reason);
    }

    void receiver(Receiver next);

    boolean isOpen();

    /**
     * Sends a message, at the latest with the next {@link #flush}; dropped if the link has ended.
     * Bytes that it names are read before this returns.
     *
     * @return bytes of its frame; 0 if it is dropped
     * @throws IllegalArgumentException if the frame exceeds the limit; no part of it is sent
     */
    int write(WireMessage message);

    /** As {@link #write}, for a message of the transport. */
    void writeControl(Control control);

    /** Passes on everything that was written. */
    void flush();

    /** True if the other node can fall silent without an end of the link. */
    boolean canFallSilent();

    /** True if anything has arrived since the last call. */
    boolean takeArrived();

    /** Gives up sending to a host that acknowledges nothing for this time. */
    void retryWithin(Duration limit);

    /** The other node has said that it will end the link, so its end is no cut. */
    default void endsInOrder() {}

    /** Ends the link now. Unflushed messages are lost. */
    void close();

    /**
     * Ends the link in order: the other node receives everything that was written.
     *
     * @param whenClosed called on the loop when nothing of the link is left
     */
    void finish(Runnable whenClosed);

    /**
     * As {@link #finish}, but a link that lasts ends only when the other node has everything, which
     * may take another connection.
     *
     * @param limit the longest time to wait for that
     */
    default void drain(Duration limit, Runnable whenClosed) {
        finish(whenClosed);
    }
}
