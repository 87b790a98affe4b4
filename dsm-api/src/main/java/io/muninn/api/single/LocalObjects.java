package io.muninn.api.single;

import io.muninn.api.DsmNode;
import io.muninn.api.service.ObjectLink;
import io.muninn.api.shipping.Declaration;
import io.muninn.model.ObjectId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Shipped objects of the only node. An object's server starts with the first call that needs it.
 */
final class LocalObjects implements ObjectLink {
    private static final long WAITED_FOR = -1;

    /** A call for an object's server. */
    private static final class Call {
        private final long number; // WAITED_FOR if its caller waits
        private final byte[] request;
        private Optional<Reply> reply = Optional.empty(); // guarded by the monitor

        Call(long number, byte[] request) {
            this.number = number;
            this.request = request;
        }
    }

    /** The calls of one object; the first one is running. */
    private static final class Queue {
        private final Deque<Call> calls = new ArrayDeque<>(); // guarded by the monitor
        private final Runnable startServer;
        private boolean isServed; // guarded by the monitor

        Queue(Runnable startServer) {
            this.startServer = startServer;
        }

        void add(Call call) {
            calls.add(call);
            if (!isServed) {
                isServed = true;
                startServer.run();
            }
        }
    }

    private final LocalMonitor monitor;
    private final Map<ObjectId, Queue> queues = new ConcurrentHashMap<>();
    private final Deque<Completion> completions = new ArrayDeque<>(); // guarded by the monitor

    LocalObjects(RunState state) {
        this.monitor = new LocalMonitor(state);
    }

    @Override
    public void declare(Declaration object, Runnable startServer) {
        queues.put(object.object(), new Queue(startServer));
    }

    @Override
    public void startOwnThread(String name, Runnable body) {
        Thread.ofPlatform().name(name).daemon(true).start(body);
    }

    @Override
    public Reply ship(Declaration object, byte[] request) {
        Call call = queue(object.object(), WAITED_FOR, request);
        return monitor.await(() -> call.reply);
    }

    @Override
    public void post(long number, Declaration object, byte[] request) {
        queue(object.object(), number, request);
    }

    private Queue queue(ObjectId object) {
        return Objects.requireNonNull(queues.get(object), () -> object + " is not declared");
    }

    private Call queue(ObjectId object, long number, byte[] request) {
        Call call = new Call(number, request);
        Queue queue = queue(object);
        return monitor.await(() -> {
            if (number != WAITED_FOR && queue.calls.size() >= DsmNode.CALLS_MAX) {
                return Optional.empty();
            }
            queue.add(call);
            monitor.changed();
            return Optional.of(call);
        });
    }

    @Override
    public byte[] serve(ObjectId object, Optional<byte[]> reply) {
        Queue queue = queue(object);
        reply.ifPresent(body -> monitor.await(() -> Optional.of(end(queue, Reply.of(body)))));
        return monitor.await(() -> Optional.ofNullable(queue.calls.peek())).request;
    }

    private Call end(Queue queue, Reply reply) {
        Call ended = queue.calls.remove();
        if (ended.number == WAITED_FOR) {
            ended.reply = Optional.of(reply);
        } else {
            completions.add(new Completion(ended.number, reply));
        }
        monitor.changed();
        return ended;
    }

    @Override
    public Completion awaitCompletion() {
        return monitor.await(() -> Optional.ofNullable(completions.poll()));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> newFuture() {
        return new CompletableFuture<>();
    }
}
