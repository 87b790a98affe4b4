package io.muninn.api.single;

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
import io.muninn.api.spi.ViewBinder;
import io.muninn.model.BarrierId;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** One application thread's services. */
final class SingleNode implements DsmNode {
    private final SingleNodeSession session;
    private final int thread;

    /** Collective allocations this thread has taken part in. */
    private int allocated;

    SingleNode(SingleNodeSession session, int thread) {
        this.session = session;
        this.thread = thread;
    }

    @Override
    public int id() {
        return 0;
    }

    @Override
    public int nodes() {
        return 1;
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
        NodeChecks.checkThread();
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
        NodeChecks.checkThread();
        BarrierId id = new BarrierId(name);
        return new NodeBarrier(id, parties, session.barrier(name, parties).of(thread));
    }

    @Override
    public Messages messages() {
        NodeChecks.checkThread();
        return session.messages();
    }

    @Override
    public <T> T shipped(String name, Class<T> type, int node, Supplier<? extends T> object) {
        NodeChecks.checkThread();
        return session.objects().shipped(name, type, node, object);
    }

    /** Empty: nobody simulates. */
    @Override
    public void work(long units) {
        NodeChecks.checkWork(units);
    }

    @Override
    public <V extends SharedVariable> V allocate(String name, V shape, Protocol protocol) {
        NodeChecks.checkThread();
        CallChain.checkBarrier("of allocations");
        if (protocol == Protocol.READ_ONLY) {
            throw new IllegalArgumentException(
                    "variable " + name + " cannot be allocated READ_ONLY: nobody could fill it");
        }
        MemorySegment memory = session.allocate(allocated, name, ViewBinder.spec(shape), protocol);
        ViewBinder.bind(shape, name, memory);
        allocated++;
        return shape;
    }

    /** All zero: one node faults on nothing and sends nothing. */
    @Override
    public Statistics statistics() {
        return Statistics.ZERO;
    }
}
