package io.muninn.api;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordKind;
import io.muninn.api.spi.RemoteAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Operations of one thread on one variable, collected for each home. A home's operations are sent
 * when they fill a short call ({@value #FULL_BYTES} bytes), and keep their order.
 */
final class RemoteBatches implements AutoCloseable {
    /** With one more operation, a call still fits into a mailbox. */
    static final int FULL_BYTES = 15 << 10;

    /** Results of a batch that one answer returns. */
    private static final int ANSWERS_MAX = 1024;

    private static final class Batch {
        final RemoteOperations operations = new RemoteOperations(FULL_BYTES + 64);
        final List<LongConsumer> results = new ArrayList<>();
    }

    private final RemoteVariable variable;
    private final RemoteAccess access;
    private final Thread owner = Thread.currentThread();
    private final TreeMap<Integer, Batch> batches = new TreeMap<>(); // by home
    private final Runnable flush = this::flush;
    private boolean isClosed;

    RemoteBatches(RemoteVariable bound) {
        variable = bound;
        access = bound.access();
        access.opened(flush);
    }

    void update(WordKind kind, long offset, Op op, long operand) {
        check();
        long at = variable.start() + offset;
        if (access.isDirect(at)) {
            variable.update(kind, offset, op, operand);
            return;
        }
        int home = access.home(at);
        Batch batch = batch(home);
        batch.operations.update(kind, at, op, operand);
        sendIfFull(home, batch);
    }

    void get(WordKind kind, long offset, LongConsumer result) {
        check();
        long at = variable.start() + offset;
        if (access.isDirect(at)) {
            result.accept(variable.load(kind, offset));
            return;
        }
        int home = access.home(at);
        Batch batch = batch(home);
        batch.operations.get(kind, at);
        batch.results.add(result);
        sendIfFull(home, batch);
    }

    private Batch batch(int home) {
        return batches.computeIfAbsent(home, _ -> new Batch());
    }

    private void sendIfFull(int home, Batch batch) {
        if (batch.operations.length() >= FULL_BYTES || batch.results.size() >= ANSWERS_MAX) {
            send(home, batch);
        }
    }

    private void send(int home, Batch batch) {
        if (batch.operations.isEmpty()) {
            return;
        }
        if (batch.results.isEmpty()) {
            access.post(home, batch.operations);
            return;
        }
        List<LongConsumer> results = List.copyOf(batch.results);
        batch.results.clear();
        byte[] answer = access.call(home, batch.operations);
        for (int i = 0; i < results.size(); i++) {
            results.get(i).accept(RemoteOperations.value(answer, i));
        }
    }

    /** Sends everything, and waits for the results of loads. */
    void flush() {
        batches.forEach(this::send);
    }

    private void check() {
        if (isClosed || Thread.currentThread() != owner) {
            throw new IllegalStateException(
                    "an aggregator of remote variable "
                            + variable.name()
                            + (isClosed
                                    ? " is closed"
                                    : " belongs to thread "
                                            + owner.getName()
                                            + "; each thread opens its own"));
        }
    }

    /** Sends everything, and waits until it is performed. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        check();
        try {
            flush();
            access.order();
        } finally {
            isClosed = true;
            access.closed(flush);
        }
    }
}
