package io.muninn.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's only thread: one Netty epoll loop that serves the sockets to other agents, foreign
 * descriptors such as the userfaultfd, and timers.
 *
 * <p><b>Order.</b> The loop repeats: wait for descriptors, call the callback of each ready one,
 * then run the tasks that were due. The callbacks of one such round are a <em>batch</em>.
 *
 * <p><b>Errors.</b> Whatever a callback or task throws is a bug of this node: it goes to the
 * failure consumer given at construction, which is expected to halt the node.
 *
 * <p><b>Threads.</b> {@link #execute}, {@link #schedule} and {@link #close} may be called from any
 * thread, everything else on the loop only.
 */
public final class AgentEventLoop implements AutoCloseable {
    private static final String THREAD_NAME = "dsm-agent";
    private static final long CLOSE_SECONDS_MAX = 10;

    private final Consumer<Throwable> onFailure;
    private final MultiThreadIoEventLoopGroup group;
    private final IoEventLoop loop;
    private volatile @Nullable Thread thread; // null until the thread was started
    private volatile boolean closing;

    /**
     * A loop that blocks when it has no events. Starts nothing yet: the thread starts with the
     * first task.
     *
     * @param onFailure hears, on the loop, what a callback threw
     */
    public AgentEventLoop(Consumer<Throwable> onFailure) {
        this(onFailure, 0);
    }

    /**
     * As above, but a loop without events first looks for some.
     *
     * @param spinNanos for so long at most, see {@link SpinStrategy}; 0 for not at all
     */
    public AgentEventLoop(Consumer<Throwable> onFailure, long spinNanos) {
        this.onFailure = onFailure;
        SelectStrategyFactory strategy =
                () -> new SpinStrategy(spinNanos, System::nanoTime, Thread::yield);
        group =
                new MultiThreadIoEventLoopGroup(
                        1, this::newThread, EpollIoHandler.newFactory(0, strategy)) {
                    @Override
                    protected IoEventLoop newChild(
                            Executor executor, IoHandlerFactory handlers, Object... none) {
                        return new Loop(this, executor, handlers);
                    }
                };
        loop = group.next();
    }

    private Thread newThread(Runnable body) {
        Thread created = new FastThreadLocalThread(body, THREAD_NAME);
        thread = created;
        return created;
    }

    /**
     * Calls back while a foreign descriptor has something to read, or has hung up.
     *
     * <p>Level-triggered: what the callback leaves unread is reported again in the next batch, so
     * it may read a bounded amount. A callback that meets the end of the file must cancel, or it is
     * called for ever.
     *
     * @param fd an open descriptor that epoll accepts, non-blocking; it stays the caller's: cancel
     *     first, then close it
     * @throws java.io.UncheckedIOException if epoll refuses the descriptor
     */
    public Cancellable register(int fd, Runnable onReadable) {
        return register(fd, onReadable, EpollIoOps.EPOLLIN);
    }

    /**
     * Calls back whenever more has come to a foreign descriptor, whether or not anybody reads it:
     * edge-triggered. The callback has to take all that there is.
     *
     * @param fd as for {@link #register}
     * @throws java.io.UncheckedIOException if epoll refuses the descriptor
     */
    public Cancellable registerEdges(int fd, Runnable onMore) {
        return register(fd, onMore, EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLET));
    }

    private Cancellable register(int fd, Runnable callback, EpollIoOps interest) {
        checkInEventLoop();
        ForeignHandle handle = new ForeignHandle(new FileDescriptor(fd), callback);
        handle.registration = loop.register(handle).getNow();
        try {
            handle.registration.submit(interest);
        } catch (RuntimeException refused) {
            handle.cancel();
            throw refused;
        }
        return handle;
    }

    /**
     * Runs a task on the loop, after the callbacks of the present batch and after earlier tasks.
     *
     * @throws java.util.concurrent.RejectedExecutionException once the loop is closed
     */
    public void execute(Runnable task) {
        loop.execute(() -> run(task));
    }

    /** Runs a task on the loop once, no earlier than after the delay; never if the loop closes. */
    public Cancellable schedule(long delayNanos, Runnable task) {
        if (closing) {
            return () -> {};
        }
        Future<?> timer = loop.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    /**
     * Prepares work that is worth doing once per batch, such as a flush.
     *
     * @return to be called, as often as one likes, whenever the work became necessary; the work
     *     then runs once, after the callbacks of the present batch
     */
    public Runnable oncePerBatch(Runnable work) {
        return new BatchDone(work);
    }

    /** Whether the caller runs on this loop. */
    public boolean inEventLoop() {
        return loop.inEventLoop();
    }

    /**
     * Ends the loop: its connections and registrations are dropped as they are. Foreign descriptors
     * stay open. Off the loop it returns when the thread has ended, at the latest after 10 s; on
     * the loop it returns at once and the thread ends after the present batch.
     */
    @Override
    public void close() {
        closing = true;
        try {
            loop.execute(() -> {}); // for it to look
        } catch (RejectedExecutionException closedBefore) {
            // its thread may still be ending
        }
        if (inEventLoop()) {
            return;
        }
        loop.terminationFuture().awaitUninterruptibly(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        Thread started = thread;
        if (started != null) {
            joinThread(started);
        }
    }

    private static void joinThread(Thread started) {
        try {
            started.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS_MAX));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // the thread ends all the same, unwatched
        }
    }

    /** The group of this one loop, for other servers on the agent's thread. */
    public EventLoopGroup group() {
        return group;
    }

    /** The door through which every callback of this package runs. */
    void run(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error cause) {
            onFailure.accept(cause);
        }
    }

    void checkInEventLoop() {
        if (!inEventLoop()) {
            throw new IllegalStateException(
                    "called on thread "
                            + Thread.currentThread().getName()
                            + ", not on the agent's event loop");
        }
    }

    /**
     * Netty's loop drops what is registered between events and tasks, and ends behind its tasks.
     * Told to end in between, with no quiet period, it would end with its connections open: nobody
     * serves them, and nobody at their other ends hears of it. So it is told before its events.
     */
    private final class Loop extends SingleThreadIoEventLoop {
        Loop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers) {
            super(parent, executor, handlers);
        }

        @Override
        protected int runIo() {
            if (closing) {
                shutdownGracefully(0, CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
                return 0;
            }
            return super.runIo();
        }
    }

    /** One pending task at most, however often it is asked for. */
    private final class BatchDone implements Runnable {
        private final Runnable work;
        private boolean requested;

        BatchDone(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            checkInEventLoop();
            if (!requested) {
                requested = true;
                execute(this::runWork);
            }
        }

        private void runWork() {
            requested = false;
            work.run();
        }
    }

    private final class ForeignHandle implements EpollIoHandle, Cancellable {
        private final FileDescriptor fd;
        private final Runnable onReadable;
        private @Nullable IoRegistration registration; // null until the loop has taken the handle
        private boolean cancelled;

        ForeignHandle(FileDescriptor fd, Runnable onReadable) {
            this.fd = fd;
            this.onReadable = onReadable;
        }

        @Override
        public FileDescriptor fd() {
            return fd;
        }

        @Override
        public void handle(IoRegistration from, IoEvent event) {
            if (!cancelled) { // an earlier callback of the same batch may have cancelled
                AgentEventLoop.this.run(onReadable);
            }
        }

        @Override
        public void close() {
            cancelled = true; // the loop is closing; the descriptor is the caller's
        }

        @Override
        public void cancel() {
            checkInEventLoop();
            cancelled = true;
            if (registration != null) {
                registration.cancel();
            }
        }
    }
}
