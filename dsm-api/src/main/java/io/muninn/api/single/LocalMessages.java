package io.muninn.api.single;

import io.muninn.api.Message;
import io.muninn.api.Messages;
import io.muninn.api.service.MessageLink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Messages from the only node to itself. */
final class LocalMessages implements MessageLink {
    private final LocalMonitor monitor;
    private final Map<Integer, Deque<Message>> waiting = new HashMap<>(); // by tag
    private long waitingBytes;

    LocalMessages(RunState state) {
        this.monitor = new LocalMonitor(state);
    }

    @Override
    public void send(int node, int tag, MemorySegment body) {
        MemorySegment copy = MemorySegment.ofArray(body.toArray(ValueLayout.JAVA_BYTE));
        Message message = new Message(0, tag, copy.asReadOnly());
        monitor.await(() -> put(message));
    }

    @Override
    public Message receive(int node, int tag, long limitNanos) throws TimeoutException {
        return monitor.await(limitNanos, () -> take(tag))
                .orElseThrow(() ->
                        new TimeoutException(
                                "no message with tag "
                                        + tag
                                        + " came from "
                                        + (node == Messages.ANY ? "any node" : "node " + node)));
    }

    private Optional<Message> put(Message message) {
        if (waitingBytes > 0 && waitingBytes + message.bytes() > Messages.BYTES_MAX) {
            return Optional.empty();
        }
        waitingBytes += message.bytes();
        waiting.computeIfAbsent(message.tag(), _ -> new ArrayDeque<>()).add(message);
        monitor.changed();
        return Optional.of(message);
    }

    /** The oldest message with this tag. */
    private Optional<Message> take(int tag) {
        Deque<Message> queue = waiting.get(tag);
        if (queue == null) {
            return Optional.empty();
        }
        Message message = queue.remove();
        if (queue.isEmpty()) {
            waiting.remove(tag);
        }
        waitingBytes -= message.bytes();
        monitor.changed();
        return Optional.of(message);
    }
}
