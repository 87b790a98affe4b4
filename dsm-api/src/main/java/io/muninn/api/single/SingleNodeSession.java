package io.muninn.api.single;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.Verdict;
import io.muninn.api.service.NodeLocks;
import io.muninn.api.service.NodeMessages;
import io.muninn.api.shipping.ShippedObjects;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The one process of a cluster of one node; its state is guarded by its monitor. */
final class SingleNodeSession implements DsmSession {
    /** What a thread allocates, and where; every thread's n-th call means the n-th of these. */
    private record Allocation(
            String name, ViewSpec spec, Protocol protocol, MemorySegment memory) {}

    private final RunState state = new RunState();
    private final Messages messages = new NodeMessages(0, 1, new LocalMessages(state));
    private final List<DsmNode> nodes = new ArrayList<>();
    private final NodeLocks locks = new NodeLocks(0, new LocalLocks(state));
    private final Map<String, LocalBarrier> barriers = new HashMap<>();
    private final List<Allocation> allocations = new ArrayList<>();
    private final ShippedObjects objects =
            new ShippedObjects(1, new LocalObjects(state, locks::held));
    private final GrowingLayout layout;
    private boolean isInitialized;

    SingleNodeSession(Layout layout, int threads) {
        this.layout = new GrowingLayout(layout);
        for (int i = 0; i < threads; i++) {
            nodes.add(new SingleNode(this, i));
        }
    }

    @Override
    public int nodeId() {
        return 0;
    }

    @Override
    public int nodes() {
        return 1;
    }

    @Override
    public int threads() {
        return nodes.size();
    }

    @Override
    public synchronized Layout layout() {
        return layout.layout();
    }

    /** The memory lives as long as anything refers to it: views stay readable after the run. */
    @Override
    public MemorySegment segment(RegionSpec region) {
        try {
            return Arena.ofAuto().allocate(region.bytes(), RegionSpec.MACHINE_PAGE_BYTES);
        } catch (OutOfMemoryError cause) {
            throw new DsmException(
                    "no memory for region "
                            + region.name()
                            + " of "
                            + region.bytes()
                            + " bytes; -XX:MaxDirectMemorySize may permit more",
                    cause);
        }
    }

    @Override
    public DsmNode node(int thread) {
        if (thread < 0 || thread >= threads()) {
            throw new IllegalArgumentException(
                    "thread " + thread + " is outside 0.." + (threads() - 1));
        }
        return nodes.get(thread);
    }

    @Override
    public synchronized void initialized() {
        isInitialized = true;
    }

    @Override
    public void finished() {
        state.check();
    }

    @Override
    public void close(Verdict verdict) {
        state.close();
    }

    @Override
    public void failed(Throwable cause) {
        state.fail(cause);
    }

    Messages messages() {
        return messages;
    }

    NodeLocks locks() {
        return locks;
    }

    ShippedObjects objects() {
        return objects;
    }

    synchronized LocalBarrier barrier(String name, int parties) {
        LocalBarrier barrier =
                barriers.computeIfAbsent(name, n -> new LocalBarrier(n, parties, threads(), state));
        if (barrier.parties() != parties) {
            throw new IllegalArgumentException(
                    "barrier '" + name + "' has " + barrier.parties() + " parties, not " + parties);
        }
        return barrier;
    }

    /**
     * The memory of a thread's next allocation.
     *
     * @param index how many the thread has made before
     */
    synchronized MemorySegment allocate(int index, String name, ViewSpec spec, Protocol protocol) {
        state.check();
        if (!isInitialized) {
            throw new IllegalStateException(
                    "variable " + name + " cannot be allocated in initialize, but in run");
        }
        if (index == allocations.size()) {
            RegionSpec region = layout.next(name, spec, protocol);
            MemorySegment memory = segment(region).asSlice(0, spec.bytes());
            layout.add(region);
            allocations.add(new Allocation(name, spec, protocol, memory));
        }
        Allocation agreed = allocations.get(index);
        if (!agreed.equals(new Allocation(name, spec, protocol, agreed.memory()))) {
            throw new DsmException(
                    "allocation "
                            + index
                            + " is "
                            + text(agreed.name(), agreed.spec(), agreed.protocol())
                            + " on another thread, "
                            + text(name, spec, protocol)
                            + " here");
        }
        return agreed.memory();
    }

    private static String text(String name, ViewSpec spec, Protocol protocol) {
        return protocol + " " + name + " " + spec.type();
    }
}
