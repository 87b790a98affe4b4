package io.muninn.agent.calls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.application.TestApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** Application threads of {@link LockNodes}, and their end. */
abstract class CallsFixture {
    static final int PATIENCE_SECONDS = 60;

    private final List<Thread> threads = new ArrayList<>();
    private final List<LockNodes> clusters = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        clusters.forEach(LockNodes::end);
        for (Thread thread : threads) {
            assertTrue(thread.join(Duration.ofSeconds(PATIENCE_SECONDS)), thread + " does not end");
        }
        clusters.forEach(LockNodes::close);
    }

    LockNodes cluster(int nodes, int threadsPerNode) {
        LockNodes cluster = new LockNodes(nodes, threadsPerNode);
        clusters.add(cluster);
        return cluster;
    }

    FutureTask<Void> start(TestApplication application, int thread, TestApplication.Body body) {
        return start(() -> {
            application.as(thread, body);
            return null;
        });
    }

    <T> FutureTask<T> start(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        threads.add(Thread.ofPlatform().daemon().start(task));
        return task;
    }

    Thread lastStarted() {
        return threads.getLast();
    }

    /**
     * Starts a thread that holds a lock until it may give it. Returns when the thread has it.
     *
     * @param lock of the application
     */
    FutureTask<Void> startHolding(
            TestApplication application, Function<TestApplication, Lock> lock, CountDownLatch give)
            throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        FutureTask<Void> holder =
                start(
                        application,
                        0,
                        () -> {
                            Lock mine = lock.apply(application);
                            mine.lock();
                            held.countDown();
                            assertTrue(give.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                            mine.unlock();
                        });
        assertTrue(held.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        return holder;
    }

    /** Interrupts threads at random until all tasks are done, or for as long as patience lasts. */
    static void interruptUntilDone(List<? extends FutureTask<?>> tasks, List<Thread> victims) {
        SplittableRandom random = new SplittableRandom(7);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (tasks.stream().anyMatch(task -> !task.isDone()) && System.nanoTime() < deadline) {
            victims.get(random.nextInt(victims.size())).interrupt();
            spin(random, 20_000);
        }
    }

    /** Keeps the processor for a moment. */
    static void spin(SplittableRandom random, int most) {
        for (int i = random.nextInt(most); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    static <T> T join(FutureTask<T> task) throws Exception {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException thrown) {
            if (thrown.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw thrown;
        }
    }

    /** Interrupts one of the threads. */
    void interruptAny(SplittableRandom random) {
        threads.get(random.nextInt(threads.size())).interrupt();
    }
}
