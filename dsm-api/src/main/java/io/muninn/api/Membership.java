package io.muninn.api;

import io.muninn.api.spi.DsmSession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * This process's part in a cluster, for a {@code main} that runs its own threads:
 *
 * <pre>{@code
 * try (Membership cluster = Dsm.join(this)) {
 *     DsmNode node = cluster.node();
 *     ...
 *     cluster.complete(Verdict.right("sum is 42"));
 * }
 * }</pre>
 *
 * <p><b>Order.</b> {@link #complete} says that this node has done its part; {@link #close} without
 * it means that something was thrown, and ends the run for all nodes. The others are told what was
 * thrown if it ends the thread that closed; if the thread catches it and goes on, that this node
 * left, {@value #UNCAUGHT_MILLIS} ms after it has.
 *
 * <p><b>Threads.</b> The thread that joined is application thread 0. With more than one application
 * thread per node the caller starts the others and gives each its own {@link #node(int)}.
 */
public final class Membership implements AutoCloseable {
    /** How long an exception may take from {@link #close} to the end of its thread. */
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
     * Ends this node's part; waits for all nodes to do the same. The services must not be used
     * afterwards.
     *
     * @param verdict on node 0 the run's verdict, elsewhere ignored
     * @throws IllegalStateException the second time
     */
    public void complete(Verdict verdict) {
        if (isCompleted) {
            throw new IllegalStateException("this node's part is complete already");
        }
        session.finished();
        session.close(verdict);
        isCompleted = true;
    }

    /** Leaves. Unless {@link #complete} has returned, the run has failed. */
    @Override
    public void close() {
        if (!isCompleted) {
            isCompleted = true;
            failed();
        }
    }

    /**
     * What was thrown is on its way and cannot be seen from here: it is reported when it ends the
     * thread, or not at all.
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
