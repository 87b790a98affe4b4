package io.muninn.api.service;

import io.muninn.api.DsmException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one node whose callers do not wait, and the thread that completes them.
 *
 * <p><b>Threads.</b> Any application thread.
 */
final class NodeReplies {
    /** A request that waits for its reply; one of the methods is called, once. */
    interface Pending {
        void replied(ObjectLink.Reply reply);

        void failed(DsmException cause);
    }

    private final ObjectLink link;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Pending> pending =
            new ConcurrentSkipListMap<>(); // by number, until completed
    private final AtomicBoolean hasCompleter = new AtomicBoolean();
    private volatile @Nullable DsmException ended; // null while requests are completed

    NodeReplies(ObjectLink link) {
        this.link = link;
    }

    <T extends @Nullable Object> CompletableFuture<T> newFuture() {
        return link.newFuture();
    }

    /**
     * Sends a request.
     *
     * @param send receives the number of the request
     */
    void begin(Pending request, LongConsumer send) {
        if (hasCompleter.compareAndSet(false, true)) {
            link.startOwnThread("muninn-replies", this::complete);
        }
        long number = numbers.getAndIncrement();
        pending.put(number, request);
        try {
            send.accept(number);
            DsmException over = ended;
            if (over != null) {
                throw over; // the completing thread may have checked before this one was added
            }
        } catch (DsmException failed) {
            take(number).ifPresent(left -> left.failed(failed));
        }
    }

    /** Completes requests until the run is over. */
    private void complete() {
        try {
            link.bindOwnThread();
            while (true) {
                ObjectLink.Completion next = link.awaitCompletion();
                take(next.number()).orElseThrow().replied(next.reply());
            }
        } catch (DsmException over) {
            ended = over;
            for (Long number : pending.keySet()) {
                take(number).ifPresent(left -> left.failed(over));
            }
        }
    }

    private Optional<Pending> take(long number) {
        return Optional.ofNullable(pending.remove(number));
    }
}
