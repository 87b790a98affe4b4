package io.muninn.client;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.Statistics;
import io.muninn.api.service.NodeBarrier;
import io.muninn.api.shipping.CallChain;
import io.muninn.api.spi.NodeChecks;
import io.muninn.model.BarrierId;
import io.muninn.protocol.Counter;
import java.util.function.Supplier;

/** One application thread's services. */
final class LiveNode implements DsmNode {
    private final LiveSession session;
    private final int thread;
    private int allocated; // collective allocations this thread has taken part in

    LiveNode(LiveSession session, int thread) {
        this.session = session;
        this.thread = thread;
    }

    @Override
    public int id() {
        return session.nodeId();
    }

    @Override
    public int nodes() {
        return session.nodes();
    }

    @Override
    public int thread() {
        return thread;
    }

    @Override
    public int threads() {
        return session.threads();
    }

    @Override
    public DsmLock lock(String name) {
        session.bindThread(thread);
        return session.locks().lock(name);
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
        session.bindThread(thread);
        int declared = parties == positions() ? 0 : parties;
        BarrierId id = new BarrierId(name);
        return new NodeBarrier(
                id, parties, limitNanos -> session.await(id.name(), declared, limitNanos));
    }

    @Override
    public <T> T shipped(String name, Class<T> type, int node, Supplier<? extends T> object) {
        session.bindThread(thread);
        return session.objects().shipped(name, type, node, object);
    }

    @Override
    public Messages messages() {
        session.bindThread(thread);
        return session.messages();
    }

    /** Empty in live runs: computation takes the time it takes. */
    @Override
    public void work(long units) {
        NodeChecks.checkWork(units);
    }

    @Override
    public <V extends SharedVariable> V allocate(String name, V shape, Protocol protocol) {
        CallChain.checkBarrier("of allocations");
        session.bindThread(thread);
        session.allocate(allocated, name, shape, protocol);
        allocated++;
        return shape;
    }

    @Override
    public Statistics statistics() {
        ControlMemory control = session.control();
        return new Statistics(
                control.counter(Counter.READ_FAULTS),
                control.counter(Counter.WRITE_FAULTS),
                control.counter(Counter.PAGES_FETCHED),
                control.counter(Counter.PAGES_SENT),
                control.counter(Counter.TWINS_MADE),
                control.counter(Counter.DIFFS_MADE),
                control.counter(Counter.DIFFS_APPLIED),
                control.counter(Counter.MESSAGES),
                control.counter(Counter.BYTES));
    }
}
