package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.model.NodeId;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random programs whose threads only call: their stores are ordered by calls and replies alone.
 * With any delays, no value may be stale, no call lost or run twice, and no thread may wait for
 * ever.
 */
@Timeout(120)
class ShippedRandomTest {
    private static final int SEEDS = 30;
    private static final int NODES = 3;
    private static final int THREADS = 2;
    private static final int OBJECTS = 5;
    private static final int CALLS = 12;
    private static final int TROUBLES = 6;

    /** An object that checks the stores of its caller, and stores to words for it. */
    interface Desk {
        /**
         * @param next the object to pass the call on to; {@link #OBJECTS} for none
         */
        void serve(int position, long value, int next);

        CompletableFuture<Long> serveLater(int position, long value);
    }

    private static final class Calls implements DsmProgram {
        @Shared(Protocol.WRITE_SHARED)
        final LongArray asked = LongArray.of(NODES * THREADS);

        @Shared(Protocol.WRITE_SHARED)
        final LongArray answered = LongArray.of(NODES * THREADS * OBJECTS);

        /** By object: its calls so far. */
        @Shared final LongArray served = LongArray.of(OBJECTS);

        private final long seed;

        Calls(long seed) {
            this.seed = seed;
        }

        Desk desk(DsmNode node, int index) {
            return node.shipped(
                    "desk " + index,
                    Desk.class,
                    index % NODES,
                    () -> new SharedDesk(this, node, index));
        }

        @Override
        public void run(DsmNode node) {
            Random random = new Random(seed + node.position());
            List<Desk> desks = new ArrayList<>();
            for (int i = 0; i < OBJECTS; i++) {
                desks.add(desk(node, i));
            }
            for (long value = 1; value <= CALLS; value++) {
                asked.set(node.position(), value);
                if (random.nextInt(3) == 0) {
                    post(node, desks, value, random);
                } else {
                    call(node, desks, value, random);
                }
                node.work(random.nextInt(1000));
            }
        }

        private void call(DsmNode node, List<Desk> desks, long value, Random random) {
            int first = random.nextInt(OBJECTS);
            int next = first + 1 + random.nextInt(OBJECTS);
            DsmLock lock = node.lock("lock " + random.nextInt(2));
            boolean isLocked = random.nextBoolean();
            if (isLocked) {
                lock.lock();
            }
            desks.get(first).serve(node.position(), value, next);
            if (isLocked) {
                lock.unlock();
            }
            checkAnswer(node.position(), first, value);
            if (next < OBJECTS) {
                checkAnswer(node.position(), next, value);
            }
        }

        private void post(DsmNode node, List<Desk> desks, long value, Random random) {
            List<CompletableFuture<Long>> futures = new ArrayList<>();
            int all = 1 + random.nextInt(2 * OBJECTS);
            int first = random.nextInt(OBJECTS);
            for (int i = 0; i < all; i++) {
                futures.add(desks.get((first + i) % OBJECTS).serveLater(node.position(), value));
            }
            for (int i = 0; i < all; i++) {
                long count = futures.get(i).join();
                checkAnswer(node.position(), (first + i) % OBJECTS, value);
                if (i >= OBJECTS && count <= futures.get(i - OBJECTS).join()) {
                    throw new IllegalStateException("posted calls of one object out of order");
                }
            }
        }

        private void checkAnswer(int position, int object, long value) {
            long seen = answered.get(position * OBJECTS + object);
            if (seen != value) {
                throw new IllegalStateException(
                        "the answer of object " + object + " is " + seen + ", not " + value);
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            long all = 0;
            for (int i = 0; i < OBJECTS; i++) {
                all += served.get(i);
            }
            return all > NODES * THREADS * CALLS / 2
                    ? Verdict.right(all + " calls")
                    : Verdict.wrong(all + " calls");
        }
    }

    private static final class SharedDesk implements Desk {
        private final Calls program;
        private final DsmNode node;
        private final int index;
        private long calls;

        SharedDesk(Calls program, DsmNode node, int index) {
            this.program = program;
            this.node = node;
            this.index = index;
        }

        @Override
        public void serve(int position, long value, int next) {
            record(position, value);
            if (next < OBJECTS) {
                program.desk(node, next).serve(position, value, OBJECTS);
            }
        }

        @Override
        public CompletableFuture<Long> serveLater(int position, long value) {
            record(position, value);
            return CompletableFuture.completedFuture(calls);
        }

        private void record(int position, long value) {
            long seen = program.asked.get(position);
            if (seen != value) {
                throw new IllegalStateException(
                        "object " + index + " sees " + seen + " of thread " + position);
            }
            program.answered.set(position * OBJECTS + index, value);
            calls++;
            long before = program.served.get(index);
            if (before != calls - 1) {
                throw new IllegalStateException("object " + index + " has lost a store");
            }
            node.work(200);
            program.served.set(index, calls);
        }
    }

    private static AppResult run(long seed) {
        Random random = new Random(seed);
        RandomDelays delays = new RandomDelays(random, random, NODES);
        AppRun run =
                AppRun.of(() -> new Calls(seed), NODES)
                        .threads(THREADS)
                        .delays(delays)
                        .observers(Checkers.withoutValues(new Coverage()))
                        .holdNanos(random.nextInt(200_000))
                        .flushDelayNanos(1 + random.nextInt(1_000_000))
                        .disruptions(simulation -> trouble(simulation, random, delays));
        if (random.nextBoolean()) {
            Protocol[] choice = {Protocol.CONVENTIONAL, Protocol.MIGRATORY, Protocol.WRITE_SHARED};
            run.protocol(choice[random.nextInt(choice.length)]);
        }
        return run.run();
    }

    /** Stops links and nodes for a while. */
    private static void trouble(Simulation simulation, Random random, RandomDelays delays) {
        int usualNanos = (int) Math.min(Integer.MAX_VALUE / 100, delays.usualNanos());
        for (int i = 0; i < TROUBLES; i++) {
            int from = random.nextInt(NODES);
            int to = (from + 1 + random.nextInt(NODES - 1)) % NODES;
            long until = 1 + random.nextInt(50 * usualNanos);
            boolean isPause = random.nextInt(3) == 0;
            simulation.after(
                    random.nextInt(50 * usualNanos),
                    () -> {
                        if (isPause) {
                            simulation.pause(NodeId.of(from), simulation.nowNanos() + until);
                        } else {
                            simulation.clog(from, to, simulation.nowNanos() + until);
                        }
                    });
        }
    }

    @Tag("slow")
    @Test
    void callsUnderRandomDelays_areNeverStaleNeverLostAndAllEnd() {
        for (long seed = 0; seed < SEEDS; seed++) {
            long which = seed;

            AppResult result = run(seed);

            assertEquals(List.of(), result.failure().stream().toList(), () -> "seed " + which);
            assertTrue(result.isGood(), () -> "seed " + which + ": " + result.verdict());
        }
    }

    @Test
    void sameSeedTwice_isTheSameRun() {
        assertEquals(run(7).traceHash(), run(7).traceHash());
    }
}
