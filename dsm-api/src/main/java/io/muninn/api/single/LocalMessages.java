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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Messages from the only node to itself. */
final class LocalMessages implements MessageLink {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Integer, Deque<Message>> waiting = new HashMap<>();
    private final RunState state;
    private long waitingBytes;

    LocalMessages(RunState state) {
        this.state = state;
    }

    @Override
    public void send(int node, int tag, MemorySegment body) {
        MemorySegment copy = MemorySegment.ofArray(body.toArray(ValueLayout.JAVA_BYTE));
        Message message = new Message(0, tag, copy.asReadOnly());
        state.uninterruptibly(() -> {
            put(message);
            return true;
        });
    }

    @Override
    public Message receive(int node, int tag, long limitNanos) throws TimeoutException {
        long deadline = System.nanoTime() + limitNanos;
        return state.uninterruptibly(() -> take(tag, limitNanos < 0, deadline))
                .orElseThrow(() ->
                        new TimeoutException(
                                "no message with tag "
                                        + tag
                                        + " came from "
                                        + (node == Messages.ANY ? "any node" : "node " + node)));
    }

    private void put(Message message) throws InterruptedException {
        lock.lock();
        try {
            while (waitingBytes > 0 && waitingBytes + message.bytes() > Messages.BYTES_MAX) {
                changed.await();
            }
            waitingBytes += message.bytes();
            waiting.computeIfAbsent(message.tag(), _ -> new ArrayDeque<>()).add(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The oldest message with this tag; empty if none comes in time. */
    private Optional<Message> take(int tag, boolean isEndless, long deadline)
            throws InterruptedException {
        lock.lock();
        try {
            while (!waiting.containsKey(tag)) {
                long restNanos = deadline - System.nanoTime();
                if (isEndless) {
                    changed.await();
                } else if (restNanos > 0) {
                    changed.awaitNanos(restNanos);
                } else {
                    return Optional.empty();
                }
            }
            Deque<Message> queue = waiting.get(tag);
            Message message = queue.remove();
            if (queue.isEmpty()) {
                waiting.remove(tag);
            }
            waitingBytes -= message.bytes();
            changed.signalAll();
            return Optional.of(message);
        } finally {
            lock.unlock();
        }
    }
}
