package io.muninn.e2e.programs;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.ShippedCallException;
import io.muninn.api.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** On two nodes or more: what calls of shipped objects promise. */
public final class ShippedCallPromises implements DsmProgram {
    private static final int CALLS = 50;
    private static final int ROUNDS = 10;
    private static final int LENGTH = 1500;
    private static final int NODES_MAX = 64;
    private static final String LOCK = "of a caller";

    /** A number that counts calls. */
    interface Counter {
        long increment();

        CompletableFuture<Long> add(long value);
    }

    /** Looks after shared words. */
    interface Keeper {
        /** Each of them has this value, and gets the next. */
        void increment(long expected);

        void fail(String text) throws IOException;

        /** What travels comes back. */
        List<Optional<Work>> echo(List<Optional<Work>> work, double[] numbers);
    }

    /** Records of all kinds. */
    sealed interface Work {
        record Tour(int length, byte[] cities) implements Work {}

        record Done(String by) implements Work {}
    }

    /** Answers with the number of the node that serves it. */
    interface Neighbour {
        /** The caller's word has this value, and gets the next. */
        int increment(int caller, long expected);
    }

    /** Calls further. */
    interface Link {
        void call(String chain);

        void lock(String name);
    }

    @Shared final LongArray conventional = LongArray.of(LENGTH);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray shared = LongArray.of(LENGTH);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray ofCallers = LongArray.of(NODES_MAX);

    private long counted;

    @Override
    public void run(DsmNode node) throws IOException {
        Counter counter = node.shipped("counter", Counter.class, CountingCounter::new);
        Keeper keeper = node.shipped("keeper", Keeper.class, 1, () -> new WordKeeper(this));
        Link first = node.shipped("0", Link.class, 0, () -> new NodeLink(node));
        Link second = node.shipped("1", Link.class, 1, () -> new NodeLink(node));
        count(node, counter);
        node.barrier("counted").await();
        if (node.thread() == 0) {
            callEveryNode(node);
        }
        if (node.id() != 1 && node.thread() == 0) {
            passData(node, keeper);
        }
        values(keeper);
        fail(keeper);
        node.barrier("kept").await();
        for (int turn = 0; turn < node.nodes(); turn++) { // circles of two nodes would meet
            if (node.id() == turn && node.thread() == 0) {
                refuseCircles(node, first, "010", "0 > 1 > 0");
                refuseCircles(node, second, "101", "1 > 0 > 1");
            }
            node.barrier("tried").await();
        }
        counted = counter.increment();
    }

    private static void count(DsmNode node, Counter counter) {
        long last = -1;
        for (int i = 0; i < CALLS; i++) {
            long next = counter.increment();
            check(next > last, "calls of one thread run in order");
            last = next;
        }
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            futures.add(counter.add(1));
        }
        long after = counter.increment(); // behind all of them
        long before = last;
        for (CompletableFuture<Long> future : futures) {
            long value = future.join();
            check(value > before && value < after, "posted calls run in the order made");
            before = value;
        }
        node.barrier("added").await();
        long all = (long) node.positions() * (2 * CALLS + 1);
        check(counter.add(0).join() == all, "every call counts once");
    }

    /** No lock and no barrier among them: calls and replies alone order the stores. */
    private void passData(DsmNode node, Keeper keeper) {
        if (node.id() != 0) {
            return;
        }
        for (long round = 0; round < ROUNDS; round++) {
            for (LongArray words : List.of(conventional, shared)) {
                for (int i = 0; i < LENGTH; i++) {
                    check(words.get(i) == 2 * round, "the object's stores are seen after");
                    words.set(i, 2 * round + 1);
                }
            }
            keeper.increment(2 * round + 1);
        }
    }

    /** Each call is served by the node that was named, and carries stores in both directions. */
    private void callEveryNode(DsmNode node) {
        List<Neighbour> neighbours = new ArrayList<>();
        for (int id = 0; id < node.nodes(); id++) {
            neighbours.add(
                    node.shipped(
                            "neighbour-" + id,
                            Neighbour.class,
                            id,
                            () -> new WordNeighbour(this, node.id())));
        }
        for (int call = 0; call < ROUNDS * node.nodes(); call++) {
            ofCallers.set(node.id(), 2L * call);
            int server = call % node.nodes();
            int answer = neighbours.get(server).increment(node.id(), 2L * call);
            check(answer == server, "an object runs on the node that serves it");
            check(ofCallers.get(node.id()) == 2L * call + 1, "the object's store is seen after");
        }
    }

    private static void values(Keeper keeper) {
        List<Optional<Work>> work =
                List.of(
                        Optional.of(new Work.Tour(7, new byte[] {1, 2, 3})),
                        Optional.empty(),
                        Optional.of(new Work.Done("me")));
        List<Optional<Work>> back = keeper.echo(work, new double[] {0.5, 2.5});
        check(back.size() == 4 && back.get(1).isEmpty(), "an empty one travels");
        check(back.get(2).equals(work.get(2)), "a record travels");
        check(back.get(3).orElseThrow().equals(new Work.Done("3.0")), "an array travels");
        check(
                back.getFirst().orElseThrow() instanceof Work.Tour(int length, byte[] cities)
                        && length == 7
                        && cities[2] == 3,
                "a record with an array travels");
    }

    private static void fail(Keeper keeper) {
        try {
            keeper.fail("on purpose");
            check(false, "the call throws");
        } catch (IOException thrown) {
            check(thrown.getMessage().equals("on purpose"), "the message travels");
            check(thrown.getCause() instanceof ShippedCallException, "the cause is kept");
            check(
                    thrown.getCause().getStackTrace()[0].getMethodName().equals("fail"),
                    "the frames travel");
        }
    }

    private static void refuseCircles(DsmNode node, Link link, String chain, String circle) {
        try {
            link.call(chain);
            check(false, "a circle of calls throws");
        } catch (IllegalStateException refused) {
            check(refused.getMessage().contains(circle), refused.getMessage());
        }
        DsmLock lock = node.lock(LOCK + node.id());
        lock.lock();
        try {
            link.lock(LOCK + node.id());
            check(false, "a circle of locks throws");
        } catch (IllegalStateException refused) {
            check(refused.getMessage().contains("'" + LOCK), refused.getMessage());
        } finally {
            lock.unlock();
        }
        link.lock(LOCK + node.id());
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("does not hold: " + what);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        check(counted > 0, "counted");
        for (int i = 0; i < LENGTH; i++) {
            if (shared.get(i) != 2 * ROUNDS || conventional.get(i) != 2 * ROUNDS) {
                return Verdict.wrong("word " + i + " is " + shared.get(i));
            }
        }
        return Verdict.right(ROUNDS + " rounds");
    }

    private static final class CountingCounter implements Counter {
        private long calls;

        @Override
        public long increment() {
            calls++;
            return calls;
        }

        @Override
        public CompletableFuture<Long> add(long value) {
            calls += value;
            return CompletableFuture.completedFuture(calls);
        }
    }

    private record WordKeeper(ShippedCallPromises program) implements Keeper {
        @Override
        public void increment(long expected) {
            for (LongArray words : List.of(program.conventional, program.shared)) {
                for (int i = 0; i < LENGTH; i++) {
                    check(words.get(i) == expected, "the caller's stores are seen in the call");
                    words.set(i, expected + 1);
                }
            }
        }

        @Override
        public void fail(String text) throws IOException {
            throw new IOException(text);
        }

        @Override
        public List<Optional<Work>> echo(List<Optional<Work>> work, double[] numbers) {
            List<Optional<Work>> back = new ArrayList<>(work);
            back.add(Optional.of(new Work.Done("" + (numbers[0] + numbers[1]))));
            return back;
        }
    }

    private record WordNeighbour(ShippedCallPromises program, int id) implements Neighbour {
        @Override
        public int increment(int caller, long expected) {
            check(program.ofCallers.get(caller) == expected, "the caller's store is seen");
            program.ofCallers.set(caller, expected + 1);
            return id;
        }
    }

    private record NodeLink(DsmNode node) implements Link {
        @Override
        public void call(String chain) {
            String next = chain.substring(1, 2);
            int server = Integer.parseInt(next);
            Link link = node.shipped(next, Link.class, server, () -> new NodeLink(node));
            link.call(chain.substring(1));
        }

        @Override
        public void lock(String name) {
            DsmLock lock = node.lock(name);
            lock.lock();
            lock.unlock();
        }
    }
}
