package io.muninn.api.service;

import io.muninn.api.DsmNode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeoutException;

/**
 * Signals between a thread of a team and its neighbours in order of position. They are messages
 * with a tag of the receiver: negative, so programs have no such messages. A signal is a release,
 * and its receipt an acquire.
 */
final class LoopSignals {
    private static final long FOR_EVER = -1;

    private final DsmNode node;
    private final MessageLink link;

    LoopSignals(DsmNode node, MessageLink link) {
        this.node = node;
        this.link = link;
    }

    /**
     * To the next thread, which there is.
     *
     * @param isGood false if something has failed here or before
     */
    void send(boolean isGood) {
        int to = node.position() + 1;
        byte[] body = {(byte) (isGood ? 1 : 0)};
        link.send(to / node.threads(), tag(to), MemorySegment.ofArray(body));
    }

    /** Waits for the next signal of the thread before, which there is. */
    boolean await() {
        int from = (node.position() - 1) / node.threads();
        try {
            MemorySegment body = link.receive(from, tag(node.position()), FOR_EVER).content();
            return body.get(ValueLayout.JAVA_BYTE, 0) != 0;
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    private static int tag(int receiver) {
        return -1 - receiver;
    }
}
