package io.muninn.api.single;

import io.muninn.api.Message;
import io.muninn.api.spi.NodeMessages;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Messages from the only node to itself. */
final class LocalMessages extends NodeMessages {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Integer, Deque<Message>> waiting = new HashMap<>();
    private final RunState state;
    private long waitingBytes;

    LocalMessages(RunState state) {
        this.state = state;
    }

    @Override
    public int node() {
        return 0;
    }

    @Override
    public int nodes() {
        return 1;
    }

    @Override
    public void send(int node, int tag, MemorySegment source) {
        checkNode(node, 0);
        checkTag(tag);
        if (source.byteSize() > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "message of " + source.byteSize() + " bytes, more than " + BYTES_MAX);
        }
        byte[] copy = new byte[(int) source.byteSize()];
        MemorySegment.ofArray(copy).copyFrom(source);
        Message message = new Message(0, tag, MemorySegment.ofArray(copy).asReadOnly());
        state.uninterruptibly(() -> {
            put(message);
            return true;
        });
    }

    @Override
    public Message receive(int node, int tag) {
        checkNode(node, ANY);
        checkTag(tag);
        return state.uninterruptibly(() -> take(tag));
    }

    @Override
    public Message receive(int node, int tag, long time, TimeUnit unit) throws TimeoutException {
        checkNode(node, ANY);
        checkTag(tag);
        long deadline = System.nanoTime() + unit.toNanos(time);
        Message[] taken = new Message[1];
        if (!state.uninterruptibly(() -> takeUntil(tag, deadline, taken))) {
            throw new TimeoutException(
                    "no message from "
                            + (node == ANY ? "any node" : "node " + node)
                            + " with tag "
                            + tag
                            + " within "
                            + time
                            + " "
                            + unit.toString().toLowerCase(Locale.ROOT));
        }
        return taken[0];
    }

    private void put(Message message) throws InterruptedException {
        lock.lock();
        try {
            while (waitingBytes > 0 && waitingBytes + message.bytes() > BYTES_MAX) {
                changed.await();
            }
            waitingBytes += message.bytes();
            waiting.computeIfAbsent(message.tag(), _ -> new ArrayDeque<>()).add(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Message take(int tag) throws InterruptedException {
        lock.lock();
        try {
            Message message = poll(tag);
            while (message == null) {
                changed.await();
                message = poll(tag);
            }
            return message;
        } finally {
            lock.unlock();
        }
    }

    private boolean takeUntil(int tag, long deadline, Message[] taken) throws InterruptedException {
        lock.lock();
        try {
            Message message = poll(tag);
            while (message == null) {
                long nanos = deadline - System.nanoTime();
                if (nanos <= 0) {
                    return false;
                }
                changed.awaitNanos(nanos);
                message = poll(tag);
            }
            taken[0] = message;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The oldest message with this tag, or null if there is none. */
    private @Nullable Message poll(int tag) {
        Deque<Message> queue = waiting.get(tag);
        if (queue == null) {
            return null;
        }
        Message message = queue.remove();
        if (queue.isEmpty()) {
            waiting.remove(tag);
        }
        waitingBytes -= message.bytes();
        changed.signalAll();
        return message;
    }

    private static void checkNode(int node, int least) {
        if (node < least || node > 0) {
            throw new IllegalArgumentException("node " + node + " is outside 0..0");
        }
    }

    private static void checkTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + " is negative");
        }
    }
}
