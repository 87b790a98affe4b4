package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.memory.EngineChoice;
import io.muninn.agent.memory.Engines;
import io.muninn.agent.memory.HostPool;
import io.muninn.agent.memory.LayoutLimits;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.NodeKernel;
import io.muninn.model.NodeId;
import io.muninn.nativefault.AgentMemory;
import io.muninn.nativefault.NativeCallException;
import io.muninn.nativefault.QuitSignal;
import io.muninn.report.WaitMeters;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.WeakRules;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.wire.Codecs;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the nodes of one agent: the event loop, the launcher, the engine, and the exit
 * status. Each node has a {@link LifeCycle} of its own.
 *
 * <p><b>Start.</b> With many nodes, it starts the application of the next one when an earlier one
 * begins to join: if all started at once, each would get so little CPU time that they would be
 * declared lost. After a failure none is started.
 *
 * <p><b>End.</b> A node ends by itself: with the run, or because another node is lost. It is given
 * up if it does not end within a {@link Grace} after a node that failed, or after the root.
 *
 * <p><b>Threads.</b> {@link #run} on the main thread, {@link #counter} on any; everything else on
 * the event loop.
 */
final class HostAgent implements LauncherWatch.Owner {
    private final AgentConfig first;
    private static final long HOLDERS_MILLIS = 1000; // the loop may have ended

    private final long spinNanos;
    private final AgentEventLoop loop;
    private final LocalNodes locals;
    private final List<LifeCycle> nodes;
    private final Set<LifeCycle> running = new LinkedHashSet<>();
    private final Set<LifeCycle> starting = new LinkedHashSet<>(); // have not begun to join
    private final Set<LifeCycle> givenUp = new LinkedHashSet<>();
    private final Map<NodeId, WaitMeters> meters = new HashMap<>();
    private final List<NodeEnd> ends = new ArrayList<>();
    private final List<Phase.Ended> applications = new ArrayList<>();
    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private Optional<AgentMemory> remotes = Optional.empty(); // until a node declares some
    private Optional<HostPool> pool = Optional.empty(); // until the first node joins
    private Optional<EngineChoice> engine = Optional.empty();
    private @Nullable LauncherWatch launcher; // null without a launcher
    private int started;
    private long startedNanos; // of the thread's time; 0 before the run has started
    private boolean failed;
    private boolean hurried; // the remaining nodes have had their time, and are given up next

    /**
     * @param configs of nodes of one run; they differ only in settings of a single node
     */
    HostAgent(List<AgentConfig> configs) {
        first = configs.getFirst();
        spinNanos = first.spinNanos(configs.size());
        loop = new AgentEventLoop(this::onFailure, spinNanos);
        locals =
                new LocalNodes(
                        loop,
                        configs.stream().map(AgentConfig::self).toList(),
                        new Codecs(NodeKernel.codecs()));
        nodes = configs.stream().map(config -> new LifeCycle(config, this)).toList();
    }

    /** Returns a counter of a node, 0 before its application has handed over its memory. */
    long counter(int node, NodeCounter counter) {
        return nodes.get(node).counter(counter);
    }

    /**
     * Returns the locks that threads of a node hold; none before its application has handed over
     * its memory. Called by another thread than the loop's.
     */
    List<WaitMeters.Holder> holders(int node) {
        CompletableFuture<List<WaitMeters.Holder>> asked = new CompletableFuture<>();
        try {
            loop.execute(() -> asked.complete(nodes.get(node).holders()));
        } catch (RejectedExecutionException over) {
            return List.of();
        }
        return asked.completeOnTimeout(List.of(), HOLDERS_MILLIS, TimeUnit.MILLISECONDS).join();
    }

    /** Uses the meters of a node, before {@link #run}. */
    void meter(NodeId node, WaitMeters with) {
        meters.put(node, with);
    }

    /** The meters of a node, if it serves any. */
    Optional<WaitMeters> meters(NodeId node) {
        return Optional.ofNullable(meters.get(node));
    }

    /**
     * Takes part in a run.
     *
     * @return the exit status, see {@link ExitStatus}
     */
    int run() throws InterruptedException {
        nodes.forEach(LifeCycle::listen);
        loop.execute(this::start);
        int exitStatus = status.join();
        for (Phase.Ended end : applications) {
            if (end.applications().isPresent()) {
                end.applications().get().await(LifeCycle.EXIT_LIMIT.toMillis());
            }
        }
        return exitStatus;
    }

    private void start() {
        if (first.launched()) {
            QuitSignal.ignoreTerminal();
            try {
                launcher = new LauncherWatch(loop, first.membership().heartbeatLimit(), this);
            } catch (IOException none) {
                nodes.getFirst().warn("there is no launcher: " + none.getMessage());
                status.complete(ExitStatus.FAILED);
                return;
            }
        }
        startNext();
    }

    private void startNext() {
        while (started < nodes.size() && !failed && starting.size() < Agent.startingMax()) {
            LifeCycle next = nodes.get(started++);
            running.add(next);
            starting.add(next);
            next.start();
        }
    }

    // ---- for the nodes ----

    AgentEventLoop loop() {
        return loop;
    }

    /** The agent's standard input for its first node, nothing for others: one process reads it. */
    Redirect inputOf(NodeId node) {
        return node.equals(first.self()) ? Redirect.INHERIT : ApplicationProcess.NOTHING;
    }

    /** How long threads of nodes poll before they block. */
    long spinNanos() {
        return spinNanos;
    }

    LocalNodes locals() {
        return locals;
    }

    /** The words of remote variables that the nodes of this host share, if there are any. */
    Optional<AgentMemory> remotes() {
        return remotes;
    }

    /**
     * Creates the memory of remote variables for all nodes of this host, unless one has before.
     *
     * @param bytes 0 if the program has none
     * @throws IllegalArgumentException if another node of this host needs another size, or if the
     *     memory cannot be mapped
     */
    void openRemotes(long bytes) {
        if (remotes.isEmpty() && bytes > 0) {
            try {
                remotes = Optional.of(AgentMemory.open(bytes));
            } catch (NativeCallException failure) {
                throw new IllegalArgumentException(
                        "no memory for remote variables of "
                                + bytes
                                + " bytes: "
                                + failure.getMessage(),
                        failure);
            }
        }
        long known = remotes.map(memory -> memory.words().byteSize()).orElse(0L);
        if (known != bytes) {
            throw new IllegalArgumentException(
                    "nodes declare different remote variables: of "
                            + known
                            + " bytes, and of "
                            + bytes);
        }
    }

    /** The pool of the run, if it has one. */
    Optional<HostPool> pool() {
        return pool;
    }

    /**
     * Creates the pool of the run, if its rules ask for one, unless it exists.
     *
     * @throws IllegalArgumentException if no variable needs it, or the machine refuses the memory
     */
    void openPool(Layout inForce) {
        WeakRules rules = first.coherence().updates().weak();
        rules.checkPool(first.coherence().protocol(), inForce);
        if (pool.isPresent() || !rules.isPooled()) {
            return;
        }
        long pages = LayoutLimits.mappingBytes(inForce) / RegionSpec.MACHINE_PAGE_BYTES;
        long run = ProcessHandle.current().pid();
        try {
            pool = Optional.of(HostPool.create(run, pages, first.nodes(), rules));
        } catch (NativeCallException failure) {
            throw new IllegalArgumentException(
                    "no room for a pool of "
                            + pages
                            + " pages ("
                            + failure.getMessage()
                            + "): 'ulimit -v unlimited' if the address space is limited, more"
                            + " memory, or leave --pool out",
                    failure);
        }
    }

    /**
     * Compares the pool with the copies of all nodes of this host, when the program is over.
     *
     * @return false if it was overwritten; nodes that have noticed it have ended then
     */
    boolean verifyPool() {
        return List.copyOf(running).stream().filter(node -> !node.verifyPool()).count() == 0;
    }

    /**
     * The engine of all nodes of this host; the first call tries which one works.
     *
     * @throws IllegalArgumentException as {@link Engines#choose}
     */
    EngineChoice engine(String word) {
        EngineChoice chosen = engine.orElseGet(() -> Engines.choose(word));
        engine = Optional.of(chosen);
        return chosen;
    }

    /** Counts the agent's time from now on, because the run has started. */
    void onStarted() {
        if (startedNanos == 0) {
            startedNanos = ThreadTime.nanos();
        }
    }

    /** Processor time since the start of the run, for the first node; 0 for others. */
    long agentNanos(NodeId node) {
        boolean counts = startedNanos > 0 && node.equals(first.self());
        return counts ? ThreadTime.nanos() - startedNanos : 0;
    }

    /** Called when a node begins to join, or has ended: another node may start. */
    void onJoining(LifeCycle node) {
        if (starting.remove(node)) {
            loop.execute(this::startNext);
        }
    }

    /** A node has ended. Calls after the first do nothing. */
    void onEnded(LifeCycle node, Phase.Ended end) {
        if (!running.remove(node)) {
            return;
        }
        applications.add(end);
        int index = node.config().self().index();
        ends.add(new NodeEnd(ServedNodes.of(index), end.status(), givenUp.contains(node)));
        if (end.status() != ExitStatus.OK) {
            failed = true;
            if (end.status() == ExitStatus.NODE_LOST) {
                loop.execute(this::onRunFailed); // nobody else tells those that wait for it to join
            }
            giveUpAfter(running.size() == 1 ? Grace.USUAL.ofTheLast() : Grace.USUAL.afterFailure());
        } else if (index == 0) {
            giveUpAfter(Grace.USUAL.afterRoot());
        }
        if (running.isEmpty() && (failed || started == nodes.size())) {
            if (launcher != null) {
                launcher.close();
            }
            status.complete(NodeEnd.status(ends));
        } else {
            onJoining(node);
        }
    }

    /**
     * Ends the remaining nodes after some time. After a failure, first those that have not joined,
     * which are not notified of it, and then all.
     */
    private void giveUpAfter(Duration grace) {
        loop.patience(
                grace.toNanos(),
                () -> {
                    if (failed && !hurried) {
                        hurried = true;
                        onRunFailed();
                        giveUpAfter(Grace.USUAL.ofTheLast());
                    } else {
                        giveUp();
                    }
                });
    }

    private void giveUp() {
        for (LifeCycle node : List.copyOf(running)) {
            givenUp.add(node);
            node.giveUp();
        }
    }

    @Override
    public void onRunFailed() {
        failed = true;
        List.copyOf(running).forEach(LifeCycle::runFailed);
    }

    @Override
    public void onInterrupted() {
        root().ifPresent(root -> root.waits().tell(() -> onLauncherGone("was told to end")));
    }

    @Override
    public void onWaitsWanted() {
        root().ifPresent(root -> root.waits().tell());
    }

    private Optional<LifeCycle> root() {
        return running.stream().filter(node -> node.config().self().isRoot()).findFirst();
    }

    @Override
    public void onLauncherGone(String how) {
        failed = true;
        if (running.isEmpty()) {
            status.complete(ExitStatus.NODE_LOST);
        }
        List.copyOf(running).forEach(node -> node.launcherGone(how));
    }

    /** Handles an exception that belongs to no particular node. */
    private void onFailure(Throwable cause) {
        cause.printStackTrace();
        failed = true;
        List.copyOf(running).forEach(node -> node.halt("bug in the agent: " + cause));
    }
}
