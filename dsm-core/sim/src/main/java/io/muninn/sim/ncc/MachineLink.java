package io.muninn.sim.ncc;

import io.muninn.api.Home;
import io.muninn.api.Message;
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
import io.muninn.api.shipping.Declaration;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The link of a node's program to the machine. Messages, shipped calls and variables that are
 * allocated during the run are not part of it.
 *
 * <p><b>Threads.</b> The processor that has the turn.
 */
final class MachineLink implements KernelLink {
    /** What the nodes of a machine share. */
    static final class Common {
        private final Machine machine;
        private final Layout layout;
        private final MemorySegment memory;
        private final MachineLocks locks;
        private final RemoteReferences remotes;
        private final Map<BarrierId, TreeBarrier> barriers = new HashMap<>();

        Common(Machine machine, Layout layout, MemorySegment memory) {
            this.machine = machine;
            this.layout = layout;
            this.memory = memory;
            locks = new MachineLocks(machine);
            remotes = new RemoteReferences(machine, layout.remoteBytes());
        }
    }

    private final Common common;
    private final Machine machine;
    private final NodeShape shape;

    MachineLink(Common common, int node) {
        this.common = common;
        machine = common.machine;
        shape = new NodeShape(node, machine.nodes(), 1, common.layout);
    }

    @Override
    public NodeShape shape() {
        return shape;
    }

    @Override
    public LockLink locks() {
        return common.locks;
    }

    @Override
    public RemoteLink remotes() {
        return common.remotes;
    }

    @Override
    public MessageLink messages() {
        return NO_MESSAGES;
    }

    @Override
    public ObjectLink objects() {
        return NO_OBJECTS;
    }

    /** Does nothing: a node has one thread. */
    @Override
    public void bind(int thread) {}

    @Override
    public BarrierLink barrier(int thread, BarrierId id, int parties) {
        TreeBarrier barrier =
                common.barriers.computeIfAbsent(id, _ -> new TreeBarrier(machine, parties));
        if (barrier.parties() != parties) {
            throw new IllegalArgumentException(
                    "barrier '" + id + "' has " + barrier.parties() + " parties, not " + parties);
        }
        return new BarrierLink() {
            @Override
            public byte[] await(byte[] contribution, long limitNanos) {
                return barrier.await(contribution);
            }

            @Override
            public byte[] gather() {
                throw without("waits at a barrier for the others alone");
            }
        };
    }

    @Override
    public void refresh() {
        machine.current().settle();
        if (machine.isTimed()) {
            machine.coherence().acquire(machine.current());
        }
    }

    @Override
    public void work(long units) {
        if (machine.isTimed()) {
            NccProcessor by = machine.current();
            by.pass(units * machine.hardware().model().work(), Spent.COMPUTATION);
            by.tick();
        }
    }

    /** All zero: the machine sends no messages of the product. */
    @Override
    public Statistics statistics() {
        return Statistics.ZERO;
    }

    @Override
    public MemorySegment segment(RegionSpec region) {
        return common.memory.asSlice(region.offset(), region.bytes());
    }

    @Override
    public Optional<AccessGuard> guard(RegionSpec region) {
        return Optional.of(new MachineGuard(machine, region));
    }

    /** Does nothing: the paper's machine has no prefetches. */
    @Override
    public void prefetch(PageId first, int count, Mode mode) {}

    /** A lock that guards pages lies in the first of them; other advice has no effect. */
    @Override
    public void advise(PageId first, int count, PageAdvice advice) {
        if (advice instanceof PageAdvice.GuardedBy(String lock)) {
            RegionSpec region = common.layout.regions().get(first.region());
            long address = region.offset() + (long) first.index() * region.pageBytes();
            common.locks.placeAt("lock " + lock, address);
        }
    }

    @Override
    public void addRegion(GrowingLayout layout, RegionSpec region) {
        throw without("variables that are allocated during the run");
    }

    @Override
    public void meetToAllocate(
            int ordinal, String name, String type, Protocol protocol, Home home) {
        throw without("variables that are allocated during the run");
    }

    @Override
    public long nowNanos() {
        return machine.current().now();
    }

    @Override
    public void initialized() {
        machine.begin();
    }

    @Override
    public void threadEnds() {
        machine.end();
    }

    /** Does nothing: all threads have ended together. */
    @Override
    public void finished() {}

    @Override
    public void close(Verdict verdict, double seconds) {
        if (shape.node() == 0) {
            machine.concluded(verdict);
        }
    }

    /** Does nothing: the machine sees the exception itself. */
    @Override
    public void failed(Throwable cause) {}

    private static UnsupportedOperationException without(String what) {
        return new UnsupportedOperationException("the machine has no " + what);
    }

    private static final MessageLink NO_MESSAGES =
            new MessageLink() {
                @Override
                public void send(int node, int tag, MemorySegment body) {
                    throw without("messages");
                }

                @Override
                public Message receive(int node, int tag, long limitNanos) {
                    throw without("messages");
                }
            };

    private static final ObjectLink NO_OBJECTS =
            new ObjectLink() {
                @Override
                public void declare(Declaration object, Runnable startServer) {
                    throw without("shipped calls");
                }

                @Override
                public void startOwnThread(String name, Runnable body) {
                    throw without("threads beside the program's");
                }

                @Override
                public Reply ship(Declaration object, byte[] request) {
                    throw without("shipped calls");
                }

                @Override
                public void post(long number, Declaration object, byte[] request) {
                    throw without("shipped calls");
                }

                @Override
                public Completion awaitCompletion() {
                    throw without("shipped calls");
                }

                @Override
                public byte[] serve(ObjectId object, Optional<byte[]> reply) {
                    throw without("shipped calls");
                }

                @Override
                public <T extends @Nullable Object> CompletableFuture<T> newFuture() {
                    throw without("futures");
                }
            };
}
