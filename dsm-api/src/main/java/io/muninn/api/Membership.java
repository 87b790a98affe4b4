package io.muninn.api;

import io.muninn.api.spi.DsmSession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The membership of this process in a cluster, for a {@code main} that runs its own threads:
 *
 * <pre>{@code
 * try (Membership cluster = Dsm.join(this)) {
 *     DsmNode node = cluster.node();
 *     ...
 *     cluster.complete(Verdict.right("sum is 42"));
 * }
 * }</pre>
 *
 * <p><b>Order.</b> {@link #complete} reports that this node has finished its part. {@link #close}
 * without it means that the program threw, and ends the run for all nodes. If the exception ends
 * the closing thread, the other nodes receive it as the cause. If the thread catches it and
 * continues, they are notified {@value #UNCAUGHT_MILLIS} ms later that this node has left.
 *
 * <p><b>Threads.</b> The thread that joined is application thread 0. If a node has several
 * application threads, the caller starts the others and passes each its own {@link #node(int)}.
 */
public final class Membership implements AutoCloseable {
    /** Time that an exception may take from {@link #close} to the end of its thread. */
    private static final long UNCAUGHT_MILLIS = 1000;

    private final DsmSession session;
    private boolean isCompleted;

    Membership(DsmSession session) {
        this.session = session;
    }

    /** The services of application thread 0. */
    public DsmNode node() {
        return node(0);
    }

    /**
     * The services of an application thread.
     *
     * @param thread 0 to {@link DsmNode#threads()} - 1
     * @throws IllegalArgumentException if there is no such thread
     */
    public DsmNode node(int thread) {
        return session.node(thread);
    }

    /**
     * Ends this node's part and waits until all nodes have done so. The services must not be used
     * afterwards.
     *
     * @param verdict on node 0 the run's verdict, elsewhere ignored
     * @throws IllegalStateException if called twice
     */
    public void complete(Verdict verdict) {
        if (isCompleted) {
            throw new IllegalStateException("this node's part is complete already");
        }
        session.finished();
        session.close(verdict);
        isCompleted = true;
    }

    /** Leaves the cluster. If {@link #complete} has not returned, the run fails. */
    @Override
    public void close() {
        if (!isCompleted) {
            isCompleted = true;
            failed();
        }
    }

    /**
     * Ends the run after an exception. The exception is still propagating and cannot be read here;
     * it is reported only if it ends the thread.
     */
    private void failed() {
        AtomicBoolean isReported = new AtomicBoolean();
        Consumer<Throwable> report =
                cause -> {
                    if (isReported.compareAndSet(false, true)) {
                        session.failed(cause);
                    }
                };
        Runnable left = () -> report.accept(new DsmException("left the cluster before complete()"));
        Thread self = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = self.getUncaughtExceptionHandler();
        self.setUncaughtExceptionHandler((thread, thrown) -> {
            report.accept(thrown);
            before.uncaughtException(thread, thrown);
        });
        CompletableFuture.delayedExecutor(UNCAUGHT_MILLIS, TimeUnit.MILLISECONDS).execute(left);
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(left, "muninn-left"));
        } catch (IllegalStateException endsAlready) {
            left.run();
        }
    }
}
