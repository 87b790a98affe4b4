package io.muninn.transport.loop;

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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * <p><b>Errors.</b> An exception of a callback or task is a bug of this node. It is passed to the
 * failure consumer given at construction, which is expected to halt the node.
 *
 * <p><b>Threads.</b> {@link #execute}, {@link #schedule}, {@link #whenEnded} and {@link #close} may
 * be called from any thread, everything else on the loop only.
 */
public final class AgentEventLoop implements AutoCloseable {
    private static final String THREAD_NAME = "dsm-agent";
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final FullHeap FULL_HEAP = new FullHeap();

    private final Consumer<Throwable> onFailure;
    private final AgentEventLoop owner; // of the thread: this, unless this is a view
    private final MultiThreadIoEventLoopGroup group;
    private final IoEventLoop loop;
    private final Queue<Runnable> endings = new ConcurrentLinkedQueue<>(); // those of the owner
    private volatile @Nullable Thread thread; // null until the thread has started
    private volatile boolean closing;

    /**
     * Creates a loop that blocks when it has no events. The thread starts with the first task.
     *
     * @param onFailure receives an exception of a callback, on the loop
     */
    public AgentEventLoop(Consumer<Throwable> onFailure) {
        this(onFailure, 0);
    }

    /**
     * Creates a loop that polls for events before it blocks.
     *
     * @param spinNanos longest time to poll, see {@link SpinStrategy}; 0 disables polling
     */
    public AgentEventLoop(Consumer<Throwable> onFailure, long spinNanos) {
        this.onFailure = onFailure;
        owner = this;
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

    private AgentEventLoop(AgentEventLoop owner, Consumer<Throwable> onFailure) {
        this.onFailure = onFailure;
        this.owner = owner;
        group = owner.group;
        loop = owner.loop;
    }

    /**
     * Returns a view of this loop for one of its users: the same thread, batches and order.
     *
     * @param onUsersFailure receives an exception of a callback that was given to the view, on the
     *     loop
     */
    public AgentEventLoop of(Consumer<Throwable> onUsersFailure) {
        return new AgentEventLoop(owner, onUsersFailure);
    }

    private Thread newThread(Runnable body) {
        Runnable whole =
                () -> {
                    body.run();
                    endings.forEach(Runnable::run);
                };
        Thread created = new FastThreadLocalThread(whole, THREAD_NAME);
        thread = created;
        return created;
    }

    /**
     * Registers a callback for a foreign descriptor that is readable or has hung up.
     *
     * <p>Level-triggered: unread data is reported again in the next batch, so the callback may read
     * a bounded amount. A callback that reads the end of file must cancel, or it is called for
     * ever.
     *
     * @param fd an open descriptor that epoll accepts, non-blocking; the caller keeps it: cancel
     *     first, then close it
     * @throws java.io.UncheckedIOException if epoll refuses the descriptor
     */
    public Cancellable register(int fd, Runnable onReadable) {
        return register(fd, onReadable, EpollIoOps.EPOLLIN);
    }

    /**
     * Registers a callback for new data of a foreign descriptor. Edge-triggered: the callback must
     * take all data.
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
     * Runs a task on the loop, after the callbacks of the current batch and after earlier tasks.
     *
     * @throws java.util.concurrent.RejectedExecutionException once the loop is closed
     */
    public void execute(Runnable task) {
        loop.execute(() -> run(task));
    }

    /** Runs a task on the loop once, no earlier than after the delay; never if the loop closes. */
    public Cancellable schedule(long delayNanos, Runnable task) {
        if (owner.closing) {
            return () -> {};
        }
        Future<?> timer = loop.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    /**
     * Runs a task on the loop once, after a wait of this length for another process. Time in which
     * this process is stopped counts little, see {@link Patience}.
     */
    public Cancellable patience(long nanos, Runnable task) {
        return new Patience(this::schedule, nanos, task);
    }

    /**
     * Prepares work that is done once per batch, such as a flush.
     *
     * @return requests the work; however often it is called, the work runs once, after the
     *     callbacks of the current batch
     */
    public Runnable oncePerBatch(Runnable work) {
        return new BatchDone(work);
    }

    /**
     * Runs an action on the thread of the loop after its last callback and task, before {@link
     * #close} returns; never if the thread has not started. Called from any thread before the loop
     * is closed.
     */
    public void whenEnded(Runnable action) {
        owner.endings.add(action);
    }

    /** True if the caller runs on this loop. */
    public boolean inEventLoop() {
        return loop.inEventLoop();
    }

    /**
     * Ends the loop and drops its connections and registrations. Foreign descriptors stay open.
     * Called off the loop, it returns when the thread has ended, after 10 s at the latest. Called
     * on the loop, it returns at once and the thread ends after the current batch. Closing a view
     * closes the loop.
     */
    @Override
    public void close() {
        owner.closing = true;
        try {
            loop.execute(() -> {}); // wakes the loop
        } catch (RejectedExecutionException closedBefore) {
            // its thread may still be ending
        }
        if (inEventLoop()) {
            return;
        }
        loop.terminationFuture().awaitUninterruptibly(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        Thread started = owner.thread;
        if (started != null) {
            joinThread(started);
        }
    }

    private static void joinThread(Thread started) {
        try {
            started.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS_MAX));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // the thread still ends
        }
    }

    /** The group of this one loop, for other servers on the agent's thread. */
    public EventLoopGroup group() {
        return group;
    }

    /** Runs a callback of the transport; every one is run through this method. */
    public void run(Runnable callback) {
        try {
            callback.run();
        } catch (OutOfMemoryError full) {
            FULL_HEAP.end();
        } catch (RuntimeException | Error cause) {
            onFailure.accept(cause);
        }
    }

    /**
     * @throws IllegalStateException on any other thread
     */
    public void checkInEventLoop() {
        if (!inEventLoop()) {
            throw new IllegalStateException(
                    "called on thread "
                            + Thread.currentThread().getName()
                            + ", not on the agent's event loop");
        }
    }

    /**
     * Netty's loop drops its registrations between events and tasks, and ends after its tasks. If
     * it were shut down in between, without a quiet period, it would end with open connections that
     * nothing serves, and their other ends would not notice. So the shutdown is requested before
     * the events.
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

    /** Has at most one pending task, regardless of the number of requests. */
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
        // null until the loop has registered the handle
        private @Nullable IoRegistration registration;
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
            if (!cancelled) { // an earlier callback of this batch may have cancelled it
                AgentEventLoop.this.run(onReadable);
            }
        }

        @Override
        public void close() {
            cancelled = true; // the loop is closing; the caller owns the descriptor
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
