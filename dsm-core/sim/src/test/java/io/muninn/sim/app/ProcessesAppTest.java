package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.spi.NodeCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes of several processes: the program counts processes, and siblings send no messages. */
class ProcessesAppTest {
    private static final int LENGTH = 8 << 10; // 16 pages
    private static final int ROUNDS = 5;

    /** Every node adds to its band, hands a number round, and reads the bands of all. */
    public static final class Ring implements DsmProgram {
        interface Counter {
            int next();
        }

        @Shared(value = Protocol.WRITE_SHARED, home = Home.BANDED)
        private final DoubleArray bands = DoubleArray.of(LENGTH);

        @Shared private final LongArray sum = LongArray.of(1);

        @Override
        public void run(DsmNode node) throws InterruptedException {
            int[] served = {0};
            Counter counter =
                    node.shipped(
                            "counter", Counter.class, node.nodes() - 1, () -> () -> ++served[0]);
            int from = LENGTH * node.id() / node.nodes();
            int to = LENGTH * (node.id() + 1) / node.nodes();
            LongArray allocated =
                    node.allocate("allocated", LongArray.of(node.nodes()), Protocol.WRITE_SHARED);
            allocated.set(node.id(), node.id());
            for (int round = 1; round <= ROUNDS; round++) {
                for (int i = from; i < to; i++) {
                    bands.set(i, bands.get(i) + node.id() + 1);
                }
                int called = counter.next(); // not in the section: a call must not be made there
                DsmLock lock = node.lock("sum");
                lock.lock();
                sum.set(0, sum.get(0) + called);
                lock.unlock();
                int next = (node.id() + 1) % node.nodes();
                node.messages().send(next, round, (long) node.id());
                int before = (node.id() + node.nodes() - 1) % node.nodes();
                long came = node.messages().receive(before, round).longs()[0];
                if (came != before) {
                    throw new IllegalStateException(came + " came from " + before);
                }
                node.barrier("round").await();
                for (int i = 0; i < LENGTH; i++) {
                    double expected = (long) i * node.nodes() / LENGTH + 1;
                    if (bands.get(i) != round * expected) {
                        throw new IllegalStateException("element " + i + " is " + bands.get(i));
                    }
                }
                if (allocated.get(node.nodes() - 1) != node.nodes() - 1) {
                    throw new IllegalStateException("allocated: " + allocated.get(0));
                }
                node.barrier("read").await();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            long calls = (long) ROUNDS * root.nodes();
            return sum.get(0) == calls * (calls + 1) / 2
                    ? Verdict.right("sum")
                    : Verdict.wrong("sum is " + sum.get(0));
        }
    }

    private static AppResult run(int nodes, int processes, Protocol protocol) {
        AppResult result =
                AppRun.of(Ring::new, nodes).processes(processes).protocol(protocol).run();
        assertTrue(result.failure().isEmpty(), () -> result.failure().toString());
        assertTrue(result.verdict().right(), () -> result.verdict().detail());
        return result;
    }

    private static long count(AppResult result, NodeCounter counter) {
        return result.nodes().stream().mapToLong(node -> node.value(counter)).sum();
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"READ_ONLY"})
    void programIsRight_andSiblingsFetchAPageOnce(Protocol protocol) {
        AppResult alone = run(4, 1, protocol);
        AppResult shared = run(2, 2, protocol);

        assertEquals(2, shared.nodes().size());
        assertTrue(
                count(shared, NodeCounter.PAGES_FETCHED) < count(alone, NodeCounter.PAGES_FETCHED));
        assertTrue(count(shared, NodeCounter.MESSAGES) < count(alone, NodeCounter.MESSAGES));
    }

    @Test
    void oneNodeOfSeveralProcesses_sendsNoMessage() {
        AppResult one = run(1, 4, Protocol.LAZY);

        assertEquals(0, count(one, NodeCounter.MESSAGES));
        assertEquals(0, count(one, NodeCounter.PAGES_FETCHED));
    }
}
