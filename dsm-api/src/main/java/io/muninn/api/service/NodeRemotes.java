package io.muninn.api.service;

import io.muninn.api.DsmException;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.RemoteAccess;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The remote variables of one process of the cluster: what it has posted, and what its threads
 * collect.
 *
 * <p><b>Order.</b> Each post is counted when the kernel has accepted it. A fence covers the posts
 * that were counted before it began.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public final class NodeRemotes {
    private final int node;
    private final int nodes;
    private final RemoteLink link;
    private final NodeReplies replies;
    private final boolean[] direct; // by home
    private final boolean isAllDirect;
    private final AtomicLong posted = new AtomicLong();
    private final AtomicLong fenced = new AtomicLong(); // posts that are known to be performed
    private final ThreadLocal<List<Runnable>> open = ThreadLocal.withInitial(ArrayList::new);
    private final AtomicInteger allOpen = new AtomicInteger(); // of all threads

    /**
     * @param objects completes the futures
     */
    public NodeRemotes(int node, int nodes, RemoteLink link, ObjectLink objects) {
        this(node, nodes, link, new NodeReplies(objects));
    }

    NodeRemotes(int node, int nodes, RemoteLink link, NodeReplies replies) {
        this.node = node;
        this.nodes = nodes;
        this.link = link;
        this.replies = replies;
        this.direct = new boolean[nodes];
        boolean all = true;
        for (int home = 0; home < nodes; home++) {
            direct[home] = link.isDirect(home);
            all &= direct[home];
        }
        this.isAllDirect = all;
    }

    /** The way of a remote variable to its words. */
    public RemoteAccess of(RegionSpec remote) {
        return new Words(remote);
    }

    /** Waits until all operations that this process has posted are performed. */
    public void fence() {
        flush();
        order();
    }

    /**
     * Called before a release of the calling thread that the kernel performs, which waits for what
     * was posted.
     */
    void beforeRelease() {
        flush();
    }

    /** Called before a release of the calling thread that the kernel may not see. */
    void beforeUnlock() {
        flush();
        order();
    }

    /** Called by each release, most often without any open aggregator. */
    private void flush() {
        if (allOpen.get() == 0) {
            return;
        }
        List<Runnable> mine = open.get();
        if (!mine.isEmpty()) {
            List.copyOf(mine).forEach(Runnable::run);
        }
    }

    private void order() {
        long before = posted.get();
        if (fenced.get() < before) {
            link.fence();
            fenced.accumulateAndGet(before, Math::max);
        }
    }

    private final class Words implements RemoteAccess {
        private final RegionSpec remote;

        Words(RegionSpec remote) {
            this.remote = remote;
        }

        @Override
        public MemorySegment memory() {
            return link.memory();
        }

        @Override
        public long start() {
            return remote.offset();
        }

        @Override
        public int node() {
            return node;
        }

        @Override
        public int home(long offset) {
            int page = (int) ((offset - remote.offset()) / remote.pageBytes());
            return remote.homeOf(page, nodes).index();
        }

        @Override
        public boolean isDirect(long offset) {
            return isAllDirect || direct[home(offset)];
        }

        @Override
        public boolean isAllDirect() {
            return isAllDirect;
        }

        @Override
        public void accesses() {
            link.accesses();
        }

        @Override
        public void updated() {
            link.updated();
        }

        @Override
        public void order() {
            NodeRemotes.this.order();
        }

        @Override
        public byte[] call(int home, RemoteOperations operations) {
            return link.call(home, operations.take());
        }

        @Override
        public void post(int home, RemoteOperations operations) {
            link.post(home, operations.take());
            posted.getAndIncrement();
        }

        @Override
        public CompletableFuture<byte[]> begin(int home, RemoteOperations operations) {
            CompletableFuture<byte[]> future = replies.newFuture();
            byte[] bytes = operations.take();
            replies.begin(new Answer(future), number -> link.begin(number, home, bytes));
            posted.getAndIncrement();
            return future;
        }

        @Override
        public <T extends @Nullable Object> CompletableFuture<T> completed(T value) {
            CompletableFuture<T> future = replies.newFuture();
            future.complete(value);
            return future;
        }

        @Override
        public void await(WordCondition condition, long limitNanos) throws TimeoutException {
            link.await(home(condition.offset()), condition, limitNanos);
        }

        @Override
        public void opened(Runnable flush) {
            open.get().add(flush);
            allOpen.getAndIncrement();
        }

        @Override
        public void closed(Runnable flush) {
            if (open.get().remove(flush)) {
                allOpen.getAndDecrement();
            }
        }

        @Override
        public void flushOpen() {
            flush();
        }
    }

    private record Answer(CompletableFuture<byte[]> future) implements NodeReplies.Pending {
        @Override
        public void replied(ObjectLink.Reply reply) {
            future.complete(reply.body());
        }

        @Override
        public void failed(DsmException cause) {
            future.completeExceptionally(cause);
        }
    }
}
