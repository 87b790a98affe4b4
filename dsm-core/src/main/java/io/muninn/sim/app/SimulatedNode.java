package io.muninn.sim.app;

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
import io.muninn.protocol.Event;
import java.util.function.Supplier;

/** One application thread's services. */
final class SimulatedNode implements DsmNode {
    private final SimSession session;
    private final int thread;
    private int allocated; // collective allocations this thread has taken part in

    SimulatedNode(SimSession session, int thread) {
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
        int declared = parties == positions() ? Event.ALL_PARTIES : parties;
        BarrierId id = new BarrierId(name);
        return new NodeBarrier(
                id,
                parties,
                limitNanos -> session.current().barrier(id, declared, limitNanos, true));
    }

    @Override
    public <T> T shipped(String name, Class<T> type, int node, Supplier<? extends T> object) {
        return session.objects().shipped(name, type, node, object);
    }

    @Override
    public Messages messages() {
        return session.messages();
    }

    @Override
    public void work(long units) {
        NodeChecks.checkWork(units);
        session.current().work(units);
    }

    @Override
    public <V extends SharedVariable> V allocate(String name, V shape, Protocol protocol) {
        CallChain.checkBarrier("of allocations");
        session.allocate(allocated, name, shape, protocol);
        allocated++;
        return shape;
    }

    @Override
    public Statistics statistics() {
        session.current().charge();
        return session.statistics();
    }
}
