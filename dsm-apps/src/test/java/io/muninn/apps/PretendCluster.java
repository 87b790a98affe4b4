package io.muninn.apps;

import io.muninn.api.Cluster;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.Group;
import io.muninn.api.Home;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.Statistics;
import io.muninn.api.Verdict;
import io.muninn.api.service.NodeMessages;
import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ClusterScope;
import io.muninn.api.spi.DsmProvider;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.ProgramRunner;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.RemoteAccess;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several nodes in one process over one plain memory. It shows what a program does with ids, bands,
 * barriers and messages of many nodes, and nothing about coherence: that is for the live cluster.
 */
final class PretendCluster {
    private final int nodes;
    private final int threads;
    private final @Nullable Protocol override;
    private final CyclicBarrier all;
    private final Map<String, MemorySegment> memory = new HashMap<>();
    private final PretendMessages.Mail mail = new PretendMessages.Mail();

    /** Null until the first node attaches. */
    private @Nullable DsmSession shared;

    private @Nullable Layout layout;

    private PretendCluster(int nodes, int threads, @Nullable Protocol override) {
        this.nodes = nodes;
        this.threads = threads;
        this.override = override;
        this.all = new CyclicBarrier(nodes);
    }

    /** Runs a program, one object of it per node; returns the root's verdict. */
    static Verdict run(
            int nodes, int threads, @Nullable Protocol override, Supplier<DsmProgram> program)
            throws InterruptedException, ExecutionException {
        PretendCluster cluster = new PretendCluster(nodes, threads, override);
        List<FutureTask<Verdict>> tasks = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            DsmProvider provider = cluster.provider(i);
            FutureTask<Verdict> task =
                    new FutureTask<>(() ->
                            ProgramRunner.run(
                                    ClusterScope.during(provider.cluster(), program), provider));
            Thread.ofPlatform().name("node-" + i).daemon(true).start(task);
            tasks.add(task);
        }
        Verdict verdict = tasks.getFirst().get();
        for (FutureTask<Verdict> task : tasks) {
            task.get();
        }
        return verdict;
    }

    private DsmProvider provider(int node) {
        return new DsmProvider() {
            @Override
            public boolean isAvailable() {
                return true;
            }

            @Override
            public Cluster cluster() {
                return new Cluster(nodes, threads);
            }

            @Override
            public DsmSession attach(Layout declared) {
                return PretendCluster.this.attach(node, declared);
            }
        };
    }

    private synchronized DsmSession attach(int node, Layout declared) {
        Layout inForce = override == null ? declared : declared.withProtocol(override);
        if (shared == null) {
            layout = inForce;
            shared = new SingleNodeProvider(nodes * threads).attach(inForce);
            shared.initialized();
        }
        if (!inForce.equals(layout)) {
            throw new IllegalArgumentException("layouts differ");
        }
        return new PretendSession(node, shared, inForce);
    }

    private synchronized MemorySegment memory(DsmSession session, RegionSpec region) {
        return memory.computeIfAbsent(region.name(), _ -> session.segment(region));
    }

    private final class PretendSession implements DsmSession {
        private final int node;
        private final DsmSession shared;
        private final Layout layout;

        PretendSession(int node, DsmSession shared, Layout layout) {
            this.node = node;
            this.shared = shared;
            this.layout = layout;
        }

        @Override
        public int nodeId() {
            return node;
        }

        @Override
        public int nodes() {
            return nodes;
        }

        @Override
        public int threads() {
            return threads;
        }

        @Override
        public Layout layout() {
            return layout;
        }

        @Override
        public MemorySegment segment(RegionSpec region) {
            return memory(shared, region);
        }

        @Override
        public RemoteAccess remote(RegionSpec remote) {
            return shared.remote(remote);
        }

        @Override
        public DsmNode node(int thread) {
            return new PretendNode(node, thread, shared.node(node * threads + thread));
        }

        @Override
        public void initialized() {
            awaitAll();
        }

        @Override
        public void threadEnds(int thread) {
            shared.node(node * threads + thread).barrier("(end of run)").await();
        }

        @Override
        public void finished() {
            awaitAll();
        }

        @Override
        public void close(Verdict verdict) {
            awaitAll();
        }

        @Override
        public void failed(Throwable cause) {
            shared.failed(cause);
            all.reset();
        }

        private void awaitAll() {
            try {
                all.await();
            } catch (InterruptedException | BrokenBarrierException cause) {
                throw new IllegalStateException("another node failed", cause);
            }
        }
    }

    private final class PretendNode implements DsmNode {
        private final int node;
        private final int thread;
        private final DsmNode inner;

        PretendNode(int node, int thread, DsmNode inner) {
            this.node = node;
            this.thread = thread;
            this.inner = inner;
        }

        @Override
        public int id() {
            return node;
        }

        @Override
        public int nodes() {
            return nodes;
        }

        @Override
        public int thread() {
            return thread;
        }

        @Override
        public int threads() {
            return threads;
        }

        @Override
        public DsmLock lock(String name) {
            return inner.lock(name);
        }

        @Override
        public DsmReadWriteLock readWriteLock(String name) {
            return inner.readWriteLock(name);
        }

        @Override
        public DsmBarrier barrier(String name) {
            return inner.barrier(name);
        }

        @Override
        public DsmBarrier barrier(String name, int parties) {
            return inner.barrier(name, parties);
        }

        @Override
        public <T> T shipped(String name, Class<T> type, int node, Supplier<? extends T> object) {
            return inner.shipped(name, type, 0, object);
        }

        @Override
        public Group group() {
            return inner.group();
        }

        @Override
        public Messages messages() {
            return new NodeMessages(node, nodes, new PretendMessages(mail, node));
        }

        @Override
        public void work(long units) {}

        @Override
        public <V extends SharedVariable> V allocate(
                String name, V shape, Protocol protocol, Home home) {
            return inner.allocate(name, shape, protocol, home);
        }

        @Override
        public <V extends SharedVariable> V allocateReadOnly(
                String name, V shape, Home home, Consumer<? super V> fill) {
            return inner.allocateReadOnly(name, shape, home, fill);
        }

        @Override
        public void remoteFence() {
            inner.remoteFence();
        }

        @Override
        public void refresh() {}

        @Override
        public void refreshUntil(BooleanSupplier condition) {
            inner.refreshUntil(condition);
        }

        @Override
        public void refreshUntil(BooleanSupplier condition, long time, TimeUnit unit)
                throws TimeoutException {
            inner.refreshUntil(condition, time, unit);
        }

        @Override
        public Statistics statistics() {
            return inner.statistics();
        }
    }
}
