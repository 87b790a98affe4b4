package io.muninn.api.service;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.Group;
import io.muninn.api.Home;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.Statistics;
import io.muninn.api.shipping.CallChain;
import io.muninn.api.spi.NodeChecks;
import io.muninn.api.spi.ViewBinder;
import io.muninn.model.BarrierId;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The services of one application thread. */
final class ThreadServices implements DsmNode {
    private final NodeSession session;
    private final KernelLink link;
    private final int thread;
    private int allocated; // number of collective allocations of this thread
    private Optional<NodeTeam> team = Optional.empty(); // while the thread runs loops
    private final NodeGroup group;
    private boolean isInLoop; // of a group
    private boolean isEnded; // true once the thread has run its part of the program

    ThreadServices(NodeSession session, KernelLink link, int thread) {
        this.session = session;
        this.link = link;
        this.thread = thread;
        this.group = NodeGroup.ofAll(this);
    }

    @Override
    public int id() {
        return link.shape().node();
    }

    @Override
    public int nodes() {
        return link.shape().nodes();
    }

    @Override
    public int thread() {
        return thread;
    }

    @Override
    public int threads() {
        return link.shape().threads();
    }

    @Override
    public DsmLock lock(String name) {
        link.bind(thread);
        return session.locks().lock(name);
    }

    @Override
    public DsmReadWriteLock readWriteLock(String name) {
        link.bind(thread);
        return session.locks().readWriteLock(name);
    }

    @Override
    public DsmBarrier barrier(String name) {
        return barrier(name, positions());
    }

    @Override
    public DsmBarrier barrier(String name, int parties) {
        if (parties < 1 || parties > positions()) {
            throw new IllegalArgumentException(
                    "barrier '"
                            + name
                            + "' of "
                            + parties
                            + " parties in a cluster of "
                            + positions()
                            + " application threads");
        }
        link.bind(thread);
        BarrierId barrier = new BarrierId(name);
        return new NodeBarrier(barrier, parties, link.barrier(thread, barrier, parties), this);
    }

    /**
     * Checks an arrival of this thread at a barrier of the program.
     *
     * @throws IllegalStateException if other threads would not arrive, because they do not run, or
     *     run something else
     */
    void checkBarrier(String barrier) {
        CallChain.checkBarrier(barrier);
        if (!session.isRunning() || isEnded) {
            throw new IllegalStateException(
                    (isEnded ? "verify" : "initialize")
                            + " cannot take part in barrier '"
                            + barrier
                            + "': no other thread runs");
        }
        if (team.isPresent()) {
            throw new IllegalStateException(team.get().refusal(barrier));
        }
        if (isInLoop) {
            throw new IllegalStateException(
                    "the body of a loop of a group cannot take part in barrier '"
                            + barrier
                            + "': other threads do not run it as often. The end of the loop is a"
                            + " barrier");
        }
    }

    /** Runs this thread's share of a loop, whose bodies can use no barrier. */
    void inLoopOfGroup(Runnable share) {
        isInLoop = true;
        try {
            share.run();
        } finally {
            isInLoop = false;
        }
    }

    /** Called before a release of this thread. */
    void beforeRelease() {
        session.remotes().beforeRelease();
    }

    /** The current time of the run, in nanoseconds. */
    long nowNanos() {
        return link.nowNanos();
    }

    /** The messages of this thread's node, for tags that are reserved for this API. */
    MessageLink messageLink() {
        return link.messages();
    }

    /** The locks of this thread's node. */
    NodeLocks locks() {
        return session.locks();
    }

    /** Records that the thread runs loops from now on. */
    void joined(NodeTeam loops) {
        team = Optional.of(loops);
    }

    /** Records that the thread runs no more loops. */
    void left() {
        team = Optional.empty();
    }

    /** Records that the thread has run its part of the program. */
    void ended() {
        isEnded = true;
    }

    @Override
    public Group group() {
        return group;
    }

    @Override
    public <T> T shipped(String name, Class<T> type, int node, Supplier<? extends T> object) {
        link.bind(thread);
        return session.objects().shipped(name, type, node, object);
    }

    @Override
    public Messages messages() {
        link.bind(thread);
        return session.messages();
    }

    @Override
    public void work(long units) {
        NodeChecks.checkWork(units);
        link.work(units);
    }

    @Override
    public void remoteFence() {
        link.bind(thread);
        session.remotes().fence();
    }

    @Override
    public void refresh() {
        link.bind(thread);
        link.refresh();
    }

    @Override
    public void refreshUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            refresh();
        }
        refresh(); // acquires what precedes the stores that the condition has seen
    }

    @Override
    public void refreshUntil(BooleanSupplier condition, long time, TimeUnit unit)
            throws TimeoutException {
        long begin = link.nowNanos();
        long limitNanos = unit.toNanos(time);
        long refreshes = 0;
        while (!condition.getAsBoolean()) {
            if (link.nowNanos() - begin >= limitNanos) {
                throw new TimeoutException(
                        "the condition of refreshUntil on node "
                                + id()
                                + " did not hold after "
                                + unit.toMillis(time)
                                + " ms and "
                                + refreshes
                                + " refreshes: no node has stored what it waits for");
            }
            refresh();
            refreshes++;
        }
        refresh();
    }

    @Override
    public <V extends SharedVariable> V allocate(
            String name, V shape, Protocol protocol, Home home) {
        if (!session.isRunning()) {
            throw new IllegalStateException(
                    "variable '" + name + "' is allocated during initialization: declare it");
        }
        checkBarrier("of allocations");
        allocateWithAll(name, shape, protocol, home);
        return shape;
    }

    @Override
    public <V extends SharedVariable> V allocateReadOnly(
            String name, V shape, Home home, Consumer<? super V> fill) {
        allocate(name, shape, Protocol.filledByAll(), home);
        // a loop of one index for each thread: its body can use no barrier, and its end is one
        group.forEach(0, positions(), _ -> fill.accept(shape));
        ViewBinder.seal(shape);
        return shape;
    }

    /** Allocates a variable together with all threads of the cluster. */
    void allocateWithAll(String name, SharedVariable shape, Protocol protocol, Home home) {
        link.bind(thread);
        session.allocate(allocated, name, shape, protocol, home);
        allocated++;
    }

    @Override
    public Statistics statistics() {
        return link.statistics();
    }
}
