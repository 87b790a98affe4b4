package io.muninn.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.spi.Event;
import io.muninn.spi.ReservedBarriers;
import io.muninn.waits.Awaited.Kind;
import io.muninn.waits.Hold.Mode;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is stuck and what is not, beside threads that run, and with messages under way. */
class WaitGraphTest {
    private static final String END = ReservedBarriers.END.name();

    /** A node of some threads, of which the later ones run. */
    private static final class Builder {
        private final int node;
        private final int threads;
        private final List<ThreadWait> waits = new ArrayList<>();
        private int servers;
        private long sent = 7;
        private long received = 7;
        private boolean isSettled = true;

        Builder(int node, int threads) {
            this.node = node;
            this.threads = threads;
        }

        Builder waits(int thread, Awaited on, Hold... holds) {
            waits.add(new ThreadWait(thread, 100 + thread, on, List.of(holds), ""));
            return this;
        }

        Builder renumbered() {
            waits.replaceAll(each ->
                    new ThreadWait(each.thread(), each.number() + 50, each.on(), each.holds(), ""));
            return this;
        }

        Builder serves(int count) {
            servers = count;
            return this;
        }

        Builder sent(long count) {
            sent = count;
            return this;
        }

        Builder unsettled() {
            isSettled = false;
            return this;
        }

        NodeWaits build() {
            return new NodeWaits(
                    NodeId.of(node),
                    new NodeThreads(1, threads),
                    threads + servers - waits.size(),
                    sent,
                    received,
                    isSettled,
                    waits,
                    List.of());
        }
    }

    private static Builder node(int node) {
        return new Builder(node, 1);
    }

    private static Awaited lock(String name) {
        return new Awaited(Kind.LOCK, name, 0, 0, false);
    }

    private static Awaited barrier(String name) {
        return new Awaited(Kind.BARRIER, name, Event.ALL_PARTIES, 0, false);
    }

    private static Awaited on(Kind kind) {
        return new Awaited(kind, "x", 0, 0, false);
    }

    private static Hold held(String lock) {
        return new Hold(Mode.LOCK, lock);
    }

    private static WaitGraph.Stuck find(Builder... nodes) {
        List<NodeWaits> all = Arrays.stream(nodes).map(Builder::build).toList();
        return WaitGraph.find(all, all);
    }

    private static void assertStuck(int count, Builder... nodes) {
        WaitGraph.Stuck stuck = find(nodes);
        assertEquals(count, stuck.lines().size(), stuck::text);
    }

    @Test
    void locksInOppositeOrder_areStuckBesideThreadsThatRun() {
        Builder[] nodes = {
            node(0).waits(0, lock("b"), held("a")),
            node(1).waits(0, lock("a"), held("b")),
            node(2).sent(9) // it runs, and a message of it is under way
        };
        WaitGraph.Stuck stuck = find(nodes);

        assertEquals(
                List.of(
                        "thread 0 of node 0 waits for lock 'b', which thread 0 of node 1 holds; it"
                                + " holds lock 'a'",
                        "thread 0 of node 1 waits for lock 'a', which thread 0 of node 0 holds; it"
                                + " holds lock 'b'"),
                stuck.lines());
        assertTrue(stuck.text().startsWith("threads wait for each other"), stuck::text);
    }

    @Test
    void lockOfAThreadThatRuns_isNotStuck() {
        assertStuck(0, node(0).waits(0, lock("a")), node(1));
    }

    @Test
    void lockThatNobodyHolds_isUnderWay() {
        assertStuck(0, node(0).waits(0, lock("a")), node(1).waits(0, lock("a")));
    }

    @Test
    void lockOfAThreadWithATimeLimit_isNotStuck() {
        Awaited timed = new Awaited(Kind.LOCK, "b", 0, 0, true);
        assertStuck(0, node(0).waits(0, lock("a"), held("b")), node(1).waits(0, timed, held("a")));
    }

    @Test
    void lockHeldAtABarrier_isStuckIfNobodyElseGoesOn() {
        Builder[] nodes = {
            node(0).waits(0, barrier("p"), held("a")),
            node(1).waits(0, lock("a")),
            node(2).waits(0, barrier("p"))
        };

        assertEquals(
                List.of(
                        "thread 0 of node 0 waits for barrier 'p', which has no arrival of thread"
                                + " 0 of node 1; it holds lock 'a'",
                        "thread 0 of node 1 waits for lock 'a', which thread 0 of node 0 holds",
                        "thread 0 of node 2 waits for barrier 'p', which has no arrival of thread"
                                + " 0 of node 1"),
                find(nodes).lines());
        nodes[2] = node(2); // it may arrive with a time limit, which breaks the barrier
        assertStuck(0, nodes);
    }

    @Test
    void departureUnderWay_endsAWaitAtABarrier() {
        assertStuck(
                0, node(0).waits(0, barrier("p"), held("a")).sent(8), node(1).waits(0, lock("a")));
    }

    @Test
    void threadsAtBarriersAlone_areLeftToTheManager() {
        assertStuck(0, node(0).waits(0, barrier("p")), node(1).waits(0, barrier("q")));
        assertStuck(0, node(0).waits(0, barrier("p")), node(1).waits(0, barrier(END)));
    }

    @Test
    void endWithALock_isStuckAndSaysSo() {
        WaitGraph.Stuck stuck =
                find(node(0).waits(0, barrier(END), held("a")), node(1).waits(0, lock("a")));

        assertEquals(
                List.of(
                        "thread 0 of node 0 has ended and still holds lock 'a'",
                        "thread 0 of node 1 waits for lock 'a', which thread 0 of node 0 holds"),
                stuck.lines());
        assertTrue(stuck.isEveryone());
    }

    @Test
    void barrierOfAnEndedThread_saysThatItHasEnded() {
        WaitGraph.Stuck stuck =
                find(
                        node(0).waits(0, barrier("p")),
                        node(1).waits(0, barrier(END)),
                        node(2).waits(0, on(Kind.MESSAGE)));

        assertEquals(
                "thread 0 of node 0 waits for barrier 'p', which has no arrival of thread 0 of"
                        + " node 1, which has ended and thread 0 of node 2",
                stuck.lines().getFirst());
    }

    @Test
    void signalMessageAndRoom_areStuckIfNobodyGoesOn() {
        for (Kind kind : List.of(Kind.SIGNAL, Kind.MESSAGE, Kind.SEND)) {
            assertStuck(2, node(0).waits(0, on(kind)), node(1).waits(0, barrier(END)));
            assertStuck(0, node(0).waits(0, on(kind)), node(1));
        }
    }

    /** A store by a thread of the home's agent needs no message; the home looks later. */
    @Test
    void remoteWord_mayHaveBeenStoredTo() {
        assertStuck(0, node(0).waits(0, on(Kind.WORD)), node(1).waits(0, barrier(END)));
    }

    @Test
    void messageUnderWay_mayEndAWait() {
        assertStuck(0, node(0).waits(0, on(Kind.MESSAGE)), node(1).waits(0, barrier(END)).sent(8));
    }

    @Test
    void nodeThatIsNotSettled_mayEndAWait() {
        assertStuck(
                0, node(0).waits(0, on(Kind.MESSAGE)), node(1).waits(0, barrier(END)).unsettled());
    }

    @Test
    void messagesBetweenTheQuestions_mayEndAWait() {
        List<NodeWaits> first =
                List.of(
                        node(0).waits(0, on(Kind.MESSAGE)).build(),
                        node(1).waits(0, barrier(END)).build());
        List<NodeWaits> second =
                first.stream()
                        .map(each ->
                                new NodeWaits(
                                        each.node(),
                                        each.shape(),
                                        each.running(),
                                        each.sent() + 1,
                                        each.received() + 1,
                                        true,
                                        each.waits(),
                                        List.of()))
                        .toList();

        assertTrue(WaitGraph.find(first, second).isEmpty());
        assertEquals(2, WaitGraph.find(second, second).lines().size());
    }

    @Test
    void waitThatBeganBetweenTheQuestions_isNotStuck() {
        List<NodeWaits> first =
                List.of(
                        node(0).waits(0, lock("b"), held("a")).build(),
                        node(1).waits(0, lock("a"), held("b")).build());
        List<NodeWaits> second =
                List.of(first.get(0), node(1).waits(0, lock("a"), held("b")).renumbered().build());

        assertTrue(WaitGraph.find(first, second).isEmpty());
    }

    @Test
    void callsOfEachOther_areStuck() {
        Awaited callOfB = new Awaited(Kind.CALL, "b", 1, 0, false);
        Awaited callOfA = new Awaited(Kind.CALL, "a", 0, 0, false);
        Hold turnOfA = held(new ObjectId("a").turn().name());
        Hold turnOfB = held(new ObjectId("b").turn().name());
        assertStuck(
                4,
                node(0).serves(1).waits(0, callOfB).waits(1, callOfB, turnOfA),
                node(1).serves(1).waits(0, barrier(END)).waits(1, callOfA, turnOfB));
    }

    @Test
    void callOfAnIdleObject_isNotStuck() {
        Awaited call = new Awaited(Kind.CALL, "b", 1, 0, false);
        assertStuck(
                0,
                node(0).waits(0, call),
                node(1).serves(1).waits(0, barrier(END)).waits(1, on(Kind.REQUEST)));
    }

    @Test
    void idleServers_doNotGoOnByThemselves() {
        assertStuck(
                2,
                node(0).waits(0, on(Kind.MESSAGE)),
                node(1).serves(1).waits(0, barrier(END)).waits(1, on(Kind.REQUEST)));
    }

    @Test
    void writerBehindReadersThatAreStuck_isStuck() {
        Awaited write = new Awaited(Kind.WRITE, "t", 0, 0, false);
        assertStuck(
                2,
                node(0).waits(0, barrier("p"), new Hold(Mode.READ, "t")),
                node(1).waits(0, write));
        assertStuck(
                0, // a lock of that name is another lock
                node(0).waits(0, on(Kind.AGENT), held("t")),
                node(1).waits(0, write));
    }

    @Test
    void readerBehindAStuckWriter_isStuckOnlyIfNoGrantIsUnderWay() {
        Awaited write = new Awaited(Kind.WRITE, "t", 0, 0, false);
        Awaited read = new Awaited(Kind.READ, "t", 0, 0, false);
        Hold reads = new Hold(Mode.READ, "t");
        assertStuck(
                3,
                node(0).waits(0, barrier("p"), reads),
                node(1).waits(0, write),
                node(2).waits(0, read));
        assertStuck(
                0, // the reader will arrive at the barrier
                node(0).waits(0, barrier("p"), reads),
                node(1).waits(0, write),
                node(2).waits(0, read).sent(8));
    }

    @Test
    void barrierOfSome_isStuckIfNobodyElseGoesOn() {
        Awaited two = new Awaited(Kind.BARRIER, "p", 2, 0, false);
        assertStuck(
                3,
                node(0).waits(0, two, held("a")),
                node(1).waits(0, barrier(END)),
                node(2).waits(0, lock("a")));
        assertStuck(0, node(0).waits(0, two), node(1).waits(0, lock("a")));
    }

    @Test
    void description_survivesItsEncoding() {
        NodeWaits waits =
                node(3).waits(0, barrier("p"), held("a"))
                        .build()
                        .with(
                                List.of(
                                        new ThreadWait(
                                                0, 5, on(Kind.MESSAGE), List.of(held("ü")), "P.r")),
                                List.of("watchdog"));
        ByteWriter bytes = new ByteWriter();
        waits.write(bytes);

        assertEquals(waits, NodeWaits.read(new ByteReader(bytes.toArray())));
    }
}
