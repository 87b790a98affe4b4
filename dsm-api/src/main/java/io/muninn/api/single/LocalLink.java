package io.muninn.api.single;

import io.muninn.api.DsmException;
import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.api.Verdict;
import io.muninn.api.service.BarrierLink;
import io.muninn.api.service.KernelLink;
import io.muninn.api.service.LockLink;
import io.muninn.api.service.MessageLink;
import io.muninn.api.service.NodeShape;
import io.muninn.api.service.ObjectLink;
import io.muninn.api.service.RemoteLink;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.NodeChecks;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** The link of a single process, a cluster of one node, which needs no kernel. */
final class LocalLink implements KernelLink {
    private final NodeShape shape;
    private final RunState state = new RunState();
    private final LockLink locks = new LocalLocks(state);
    private final MessageLink messages = new LocalMessages(state);
    private final ObjectLink objects = new LocalObjects(state);
    private final RemoteLink remotes;
    private final Map<BarrierId, LocalBarrier> barriers = new HashMap<>(); // guarded by the monitor

    LocalLink(Layout declared, int threads) {
        this.shape = new NodeShape(0, 1, threads, declared);
        this.remotes = new LocalRemotes(state, declared.remoteBytes());
    }

    @Override
    public NodeShape shape() {
        return shape;
    }

    @Override
    public LockLink locks() {
        return locks;
    }

    @Override
    public MessageLink messages() {
        return messages;
    }

    @Override
    public ObjectLink objects() {
        return objects;
    }

    @Override
    public RemoteLink remotes() {
        return remotes;
    }

    @Override
    public void bind(int thread) {
        NodeChecks.checkThread();
    }

    @Override
    public synchronized BarrierLink barrier(int thread, BarrierId barrier, int parties) {
        LocalBarrier known =
                barriers.computeIfAbsent(
                        barrier,
                        id -> new LocalBarrier(id.name(), parties, shape.threads(), state));
        if (known.parties() != parties) {
            throw new IllegalArgumentException(
                    "barrier '"
                            + barrier
                            + "' has "
                            + known.parties()
                            + " parties, not "
                            + parties);
        }
        return known.of(thread);
    }

    /** Does nothing: every page is here. */
    @Override
    public void prefetch(PageId first, int count, Mode mode) {}

    @Override
    public void advise(PageId first, int count, PageAdvice advice) {}

    /** Does not wait: there is no other node. */
    @Override
    public void refresh() {
        state.check();
    }

    /** Does nothing: time is not simulated. */
    @Override
    public void work(long units) {}

    /** All zero: a single node has no faults and sends no messages. */
    @Override
    public Statistics statistics() {
        return Statistics.ZERO;
    }

    /** The memory is freed when it is no longer reachable, so views stay readable after the run. */
    @Override
    public MemorySegment segment(RegionSpec region) {
        return memory("region " + region.name(), region.bytes());
    }

    /** Memory that is freed when it is no longer reachable. */
    static MemorySegment memory(String what, long bytes) {
        try {
            return Arena.ofAuto().allocate(bytes, RegionSpec.MACHINE_PAGE_BYTES);
        } catch (OutOfMemoryError cause) {
            throw new DsmException(
                    "no memory for "
                            + what
                            + " of "
                            + bytes
                            + " bytes; -XX:MaxDirectMemorySize may permit more",
                    cause);
        }
    }

    @Override
    public void addRegion(GrowingLayout layout, RegionSpec region) {
        state.check();
    }

    /** Does not wait: all threads share the memory of the process. */
    @Override
    public void meetToAllocate(
            int ordinal, String name, String type, Protocol protocol, Home home) {
        state.check();
    }

    @Override
    public void initialized() {}

    @Override
    public void threadEnds() {}

    @Override
    public void finished() {
        state.check();
    }

    @Override
    public void close(Verdict verdict, double seconds) {
        state.close();
    }

    @Override
    public void failed(Throwable cause) {
        state.fail(cause);
    }
}
