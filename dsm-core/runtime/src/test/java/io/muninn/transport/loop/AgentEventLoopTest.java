package io.muninn.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.transport.TestNode;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AgentEventLoopTest {
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final AgentEventLoop loop = new AgentEventLoop(failures::add);

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void everything_runsOnOneThreadNamedForTheAgent() throws Exception {
        Thread first = onLoop(Thread::currentThread);
        Thread second = onLoop(Thread::currentThread);

        assertSame(first, second);
        assertEquals("dsm-agent", first.getName());
        assertTrue(onLoop(loop::inEventLoop));
        assertFalse(loop.inEventLoop());
    }

    /**
     * Data that a callback leaves unread is reported again: nothing is lost, and no callback must
     * drain it.
     */
    @Test
    void foreignPipe_isReportedUntilItIsEmpty() throws Exception {
        FileDescriptor[] pipe = FileDescriptor.pipe();
        BlockingQueue<Byte> bytes = new LinkedBlockingQueue<>();
        Cancellable registration =
                onLoop(() -> loop.register(pipe[0].intValue(), () -> readOne(pipe[0], bytes)));

        write(pipe[1], 1, 2, 3);

        for (byte expected = 1; expected <= 3; expected++) {
            assertEquals(expected, TestNode.take(bytes));
        }
        write(pipe[1], 4); // an empty pipe that fills again is reported again
        assertEquals((byte) 4, TestNode.take(bytes));
        cancelAndClose(registration, pipe);
    }

    @Test
    void foreignEventDescriptor_isReportedOncePerWriteWhenRead() throws Exception {
        FileDescriptor event = Native.newEventFd();
        BlockingQueue<Boolean> calls = new LinkedBlockingQueue<>();
        Cancellable registration =
                onLoop(() ->
                        loop.register(
                                event.intValue(),
                                () -> {
                                    Native.eventFdRead(event.intValue());
                                    calls.add(true);
                                }));

        for (int i = 0; i < 3; i++) {
            Native.eventFdWrite(event.intValue(), 1);
            assertTrue(TestNode.take(calls));
        }

        onLoop(() -> true); // one more round of the loop
        assertTrue(calls.isEmpty());
        cancelAndClose(registration, event);
    }

    @Test
    void hungUpPipe_isReported() throws Exception {
        FileDescriptor[] pipe = FileDescriptor.pipe();
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Cancellable[] registration = new Cancellable[1];
        onLoop(() -> {
            registration[0] =
                    loop.register(
                            pipe[0].intValue(),
                            () -> {
                                end.complete(read(pipe[0]));
                                registration[0].cancel();
                            });
            return true;
        });

        pipe[1].close();

        assertEquals(-1, TestNode.await(end));
        pipe[0].close();
    }

    @Test
    void cancelledRegistration_isSilentAndTheDescriptorStaysOpen() throws Exception {
        FileDescriptor[] pipe = FileDescriptor.pipe();
        AtomicInteger calls = new AtomicInteger();
        Cancellable registration =
                onLoop(() -> loop.register(pipe[0].intValue(), calls::incrementAndGet));
        onLoop(() -> {
            registration.cancel();
            registration.cancel();
            return true;
        });

        write(pipe[1], 1);
        onLoop(() -> true);
        onLoop(() -> true);

        assertEquals(0, calls.get());
        assertEquals(1, read(pipe[0]));
        // the same number can be registered again
        BlockingQueue<Byte> bytes = new LinkedBlockingQueue<>();
        Cancellable again =
                onLoop(() -> loop.register(pipe[0].intValue(), () -> readOne(pipe[0], bytes)));
        write(pipe[1], 9);
        assertEquals((byte) 9, TestNode.take(bytes));
        cancelAndClose(again, pipe);
    }

    @Test
    void descriptorThatEpollRefuses_throwsAndLeavesNothingRegistered() throws Exception {
        FileDescriptor[] pipe = FileDescriptor.pipe();
        int closedNumber = pipe[0].intValue();
        pipe[0].close();

        onLoop(() ->
                assertThrows(
                        UncheckedIOException.class, () -> loop.register(closedNumber, () -> {})));

        pipe[1].close();
        assertTrue(failures.isEmpty());
    }

    @Test
    void workOncePerBatch_runsOnceHoweverOftenItIsAskedFor() throws Exception {
        List<String> order = new ArrayList<>();
        Runnable request = loop.oncePerBatch(() -> order.add("work"));
        FileDescriptor[] pipes = FileDescriptor.pipe();
        FileDescriptor[] others = FileDescriptor.pipe();
        BlockingQueue<Byte> bytes = new LinkedBlockingQueue<>();
        write(pipes[1], 1);
        write(others[1], 2);
        onLoop( // both are ready: their callbacks are one batch
                () -> {
                    for (FileDescriptor ready : List.of(pipes[0], others[0])) {
                        loop.register(
                                ready.intValue(),
                                () -> {
                                    order.add("event");
                                    request.run();
                                    request.run();
                                    readOne(ready, bytes);
                                });
                    }
                    return true;
                });
        TestNode.take(bytes);
        TestNode.take(bytes);

        assertEquals(List.of("event", "event", "work"), onLoop(() -> List.copyOf(order)));
        onLoop(() -> {
            request.run();
            return true;
        });
        assertEquals(List.of("event", "event", "work", "work"), onLoop(() -> List.copyOf(order)));
        loop.close();
        for (FileDescriptor each : List.of(pipes[0], pipes[1], others[0], others[1])) {
            each.close(); // closing the loop left them open
        }
    }

    @Test
    void cancelledTimer_doesNotRun() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<Boolean> later = new CompletableFuture<>();
        onLoop(() -> { // in one task, so that the time cannot be over in between
            Cancellable cancelled =
                    loop.schedule(TimeUnit.MILLISECONDS.toNanos(1), ran::incrementAndGet);
            cancelled.cancel();
            return true;
        });
        loop.schedule(TimeUnit.MILLISECONDS.toNanos(20), () -> later.complete(true));

        assertTrue(TestNode.await(later));

        assertEquals(0, ran.get());
    }

    @Test
    void whatACallbackThrows_reachesTheFailureConsumer() throws Exception {
        loop.execute(() -> {
            throw new IllegalStateException("from a task");
        });
        assertEquals("from a task", TestNode.take(failures).getMessage());

        loop.schedule(
                0,
                () -> {
                    throw new AssertionError("from a timer");
                });
        assertEquals("from a timer", TestNode.take(failures).getMessage());

        FileDescriptor[] pipe = FileDescriptor.pipe();
        BlockingQueue<Byte> bytes = new LinkedBlockingQueue<>();
        Cancellable registration =
                onLoop(() ->
                        loop.register(
                                pipe[0].intValue(),
                                () -> {
                                    readOne(pipe[0], bytes);
                                    throw new IllegalStateException("from a descriptor");
                                }));
        write(pipe[1], 1);
        assertEquals("from a descriptor", TestNode.take(failures).getMessage());
        cancelAndClose(registration, pipe);
    }

    @Test
    void callsThatBelongOnTheLoop_throwElsewhere() {
        assertThrows(IllegalStateException.class, () -> loop.register(0, () -> {}));
        assertThrows(IllegalStateException.class, loop.oncePerBatch(() -> {})::run);
    }

    @Test
    void closedFromItsOwnThread_ends() throws Exception {
        Thread thread = onLoop(Thread::currentThread);

        loop.execute(loop::close);

        thread.join(TimeUnit.SECONDS.toMillis(TestNode.SECONDS_MAX));
        assertFalse(thread.isAlive());
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(action.call());
            } catch (Exception cause) {
                result.completeExceptionally(cause);
            }
        });
        return TestNode.await(result);
    }

    private void cancelAndClose(Cancellable registration, FileDescriptor... descriptors)
            throws Exception {
        onLoop(() -> {
            registration.cancel();
            return true;
        });
        for (FileDescriptor descriptor : descriptors) {
            descriptor.close();
        }
        assertTrue(failures.isEmpty(), failures::toString);
    }

    private static void write(FileDescriptor to, int... values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(values.length);
        for (int value : values) {
            bytes.put((byte) value);
        }
        assertEquals(values.length, to.write(bytes, 0, values.length));
    }

    private static void readOne(FileDescriptor from, BlockingQueue<Byte> into) {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        try {
            if (from.read(one, 0, 1) == 1) {
                into.add(one.get(0));
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /** Bytes read, at most one; -1 at the end. */
    private static int read(FileDescriptor from) {
        try {
            return from.read(ByteBuffer.allocateDirect(1), 0, 1);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
