package io.muninn.api.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Comparison;
import io.muninn.api.DsmException;
import io.muninn.api.Op;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.shipping.Declaration;
import io.muninn.api.spi.Layouts;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.RemoteBinder;
import io.muninn.model.ObjectId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two homes, of which the second is reached by calls. */
@Timeout(30)
class NodeRemotesTest {
    private static final int PAGE_LONGS = RegionSpec.MACHINE_PAGE_BYTES / Long.BYTES;

    private static final class Program {
        @Shared final RemoteLongs table = RemoteLongs.of(2 * PAGE_LONGS);
    }

    /** Performs calls at once, and notes them. */
    private static final class Calls implements RemoteLink {
        final List<String> notes = new ArrayList<>();
        final MemorySegment memory = Arena.ofAuto().allocate(2L * 4096, 8);
        final BlockingQueue<ObjectLink.Completion> completions = new LinkedBlockingQueue<>();

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public boolean isDirect(int node) {
            return node == 0;
        }

        @Override
        public byte[] call(int home, byte[] operations) {
            notes.add("call " + home);
            return RemoteOperations.perform(operations, memory);
        }

        @Override
        public void post(int home, byte[] operations) {
            notes.add("post " + home);
            RemoteOperations.perform(operations, memory);
        }

        @Override
        public void begin(long number, int home, byte[] operations) {
            notes.add("begin " + home);
            byte[] answer = RemoteOperations.perform(operations, memory);
            completions.add(new ObjectLink.Completion(number, ObjectLink.Reply.of(answer)));
        }

        @Override
        public void fence() {
            notes.add("fence");
        }

        @Override
        public void await(int home, WordCondition condition, long limitNanos) {
            notes.add("await " + home);
        }
    }

    /** Completes futures. */
    private record Completer(Calls calls) implements ObjectLink {
        private static final ObjectLink.Completion END =
                new ObjectLink.Completion(-1, ObjectLink.Reply.of(new byte[0]));

        @Override
        public void declare(Declaration object, Runnable startServer) {}

        @Override
        public void startOwnThread(String name, Runnable body) {
            Thread.ofPlatform().daemon(true).start(body);
        }

        @Override
        public Reply ship(Declaration object, byte[] request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void post(long number, Declaration object, byte[] request) {}

        @Override
        public Completion awaitCompletion() {
            try {
                Completion next = calls.completions.take();
                if (next == END) {
                    throw new DsmException("over");
                }
                return next;
            } catch (InterruptedException cause) {
                throw new DsmException("interrupted", cause);
            }
        }

        @Override
        public byte[] serve(ObjectId object, Optional<byte[]> reply) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T extends @Nullable Object> CompletableFuture<T> newFuture() {
            return new CompletableFuture<>();
        }
    }

    private final Calls calls = new Calls();
    private final NodeRemotes remotes = new NodeRemotes(0, 2, calls, new Completer(calls));
    private final RemoteLongs table = bound();

    private RemoteLongs bound() {
        Program program = new Program();
        RegionSpec region = Layouts.of(program).layout().remotes().getFirst();
        RemoteBinder.bind(program.table, "table", remotes.of(region));
        return program.table;
    }

    @Test
    void wordsOfTheOwnAgent_needNoCall() {
        table.add(0, 3);
        assertEquals(3, table.getAndAdd(0, 1));
        assertTrue(table.compareAndSet(0, 4, 5));
        table.set(1, 6);
        assertEquals(5, table.getAsync(0).join());
        assertEquals(List.of(), calls.notes);
        assertEquals(0, table.home(PAGE_LONGS - 1));
        assertEquals(1, table.home(PAGE_LONGS));
    }

    @Test
    void operationsWithAnAnswer_waitForPostedOnes() {
        table.add(PAGE_LONGS, 3);
        table.add(PAGE_LONGS, 3);
        assertEquals(6, table.get(PAGE_LONGS)); // a load is only an acquire
        assertEquals(6, table.getAndAdd(PAGE_LONGS, 1));
        table.set(0, 1);
        table.add(PAGE_LONGS, 1);
        table.set(0, 2); // a direct one
        assertEquals(
                List.of("post 1", "post 1", "call 1", "fence", "call 1", "post 1", "fence"),
                calls.notes);
    }

    @Test
    void aggregator_sendsWhenFullFlushedClosedOrReleased() {
        try (RemoteLongs.Aggregator collected = table.aggregator()) {
            for (int i = 0; i < 1000; i++) {
                collected.add(PAGE_LONGS + i % 7, 1);
            }
            assertEquals(List.of("post 1"), calls.notes);
            remotes.beforeRelease();
            assertEquals(List.of("post 1", "post 1"), calls.notes);
            collected.add(PAGE_LONGS, 1);
            remotes.beforeUnlock();
            collected.add(PAGE_LONGS, 1);
        }
        assertEquals(
                List.of("post 1", "post 1", "post 1", "fence", "post 1", "fence"), calls.notes);
        long sum = 0;
        for (int i = 0; i < 7; i++) {
            sum += table.get(PAGE_LONGS + i);
        }
        assertEquals(1002, sum);
    }

    @Test
    void aggregatedLoads_haveTheirValuesAfterFlush() {
        long[] target = new long[2000];
        table.set(PAGE_LONGS + 1, 7);
        calls.notes.clear();
        try (RemoteLongs.Aggregator collected = table.aggregator()) {
            collected.accumulate(PAGE_LONGS + 1, 9, Op.MAX);
            for (int i = 0; i < target.length; i++) {
                collected.get(PAGE_LONGS + 1, target, i);
            }
        }
        for (long each : target) {
            assertEquals(9, each);
        }
        assertEquals(List.of("call 1", "call 1"), calls.notes);
    }

    @Test
    void aggregatorOfAnotherThread_isRefused() throws InterruptedException {
        RemoteLongs.Aggregator collected = table.aggregator();
        List<Throwable> thrown = new ArrayList<>();
        Thread other =
                Thread.ofPlatform()
                        .start(() ->
                                thrown.add(
                                        assertThrows(
                                                IllegalStateException.class,
                                                () -> collected.add(PAGE_LONGS, 1))));
        other.join();
        assertEquals(1, thrown.size());
        collected.close();
    }

    @Test
    void futures_completeWithTheAnswer() {
        table.setAsync(PAGE_LONGS, 4).join();
        assertEquals(4, table.getAndAddAsync(PAGE_LONGS, 2).join());
        assertEquals(6, table.getAsync(PAGE_LONGS).join());
        remotes.fence();
        assertEquals(List.of("begin 1", "begin 1", "begin 1", "fence"), calls.notes);
    }

    @Test
    void futuresAfterTheEnd_completeExceptionally() {
        calls.completions.add(Completer.END);
        assertThrows(
                Exception.class,
                () -> {
                    while (true) {
                        table.getAsync(PAGE_LONGS).join();
                    }
                });
    }

    @Test
    void rangesAcrossHomes_areDivided() {
        long[] source = new long[2 * PAGE_LONGS];
        for (int i = 0; i < source.length; i++) {
            source[i] = i;
        }
        table.set(0, source, 0, source.length);
        long[] target = new long[source.length];
        table.get(0, target, 0, target.length);
        assertEquals(List.of("call 1", "call 1"), calls.notes);
        for (int i = 0; i < source.length; i++) {
            assertEquals(i, target[i]);
        }
    }

    @Test
    void awaitUntil_isLeftToTheHome() {
        table.awaitUntil(0, Comparison.EQUAL, 1);
        table.awaitUntil(PAGE_LONGS, Comparison.EQUAL, 0);
        assertEquals(List.of("await 0", "await 1"), calls.notes);
    }
}
