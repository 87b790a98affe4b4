package io.muninn.sim.app;

import io.muninn.api.Home;
import io.muninn.api.NodeLostException;
import io.muninn.api.Protocol;
import io.muninn.api.Verdict;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewSpec;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.MachineModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The common state of the nodes of one simulated run: the thread that has the turn, and the result.
 *
 * <p><b>Threads.</b> The thread that runs the simulation, and the application thread that has the
 * turn.
 */
final class AppCluster {
    /**
     * Quanta of a computing thread per minimum latency of a message: short enough to see actions of
     * other nodes in time.
     */
    private static final long QUANTA_PER_LATENCY = 8;

    /**
     * The parameters of a run.
     *
     * @param protocol overrides every annotation
     * @param unitPages minimum number of machine pages per page
     * @param packs whether variables of one protocol lie one behind the other
     * @param byteDiffs whether pages are compared byte by byte, regardless of the elements
     * @param memory the memory limits
     * @param limitNanos time after which a run that has not ended is a violation
     * @param placesPages whether each process loads from the pages of its home before its threads
     *     run
     * @param onInitialized starts the other nodes
     */
    record Terms(
            MachineModel model,
            Optional<Protocol> protocol,
            int unitPages,
            boolean packs,
            boolean byteDiffs,
            MemoryNeeded memory,
            long limitNanos,
            boolean placesPages,
            Consumer<AppCluster> onInitialized) {
        /** Applies the parameters to a declared layout. */
        Layout inForce(Layout declared) {
            Layout paged = unitPages > 1 ? declared.withUnitPages(unitPages) : declared;
            Layout compared = byteDiffs ? paged.withByteGranules() : paged;
            Layout bound = protocol.map(compared::withProtocol).orElse(compared);
            return packs ? bound.packed() : bound;
        }

        /** Returns the region that an allocation adds. */
        RegionSpec inForce(
                GrowingLayout layout, String name, ViewSpec spec, Protocol declared, Home home) {
            return layout.next(
                    name,
                    spec,
                    protocol.orElse(declared),
                    home,
                    byteDiffs ? 1 : spec.granuleBytes(),
                    Math.max(1, unitPages));
        }
    }

    private final Simulation simulation;
    private final Terms terms;
    private final List<SimLink> links = new ArrayList<>();
    private final List<AppThread> interruptible = new ArrayList<>();
    private @Nullable AppThread current; // null while no application thread runs
    private Optional<Violation> violation = Optional.empty();
    private Optional<AppResult.Failure> failure = Optional.empty();
    private Optional<Verdict> verdict = Optional.empty();
    private volatile boolean isStopped;

    AppCluster(Simulation simulation, Terms terms) {
        this.simulation = simulation;
        this.terms = terms;
    }

    Simulation simulation() {
        return simulation;
    }

    MachineModel model() {
        return terms.model();
    }

    boolean placesPages() {
        return terms.placesPages();
    }

    /** The longest time for which a thread computes before other actions that are due. */
    long quantumNanos() {
        return simulation
                .machine()
                .map(machine -> machine.model().nanos(machine.model().quantumCycles()))
                .orElse(Math.max(1, terms.model().latencyNanos() / QUANTA_PER_LATENCY));
    }

    /** Returns the region that an allocation adds in this run. */
    RegionSpec inForce(
            GrowingLayout layout, String name, ViewSpec spec, Protocol declared, Home home) {
        return terms.inForce(layout, name, spec, declared, home);
    }

    /**
     * Checks the memory for a region that is allocated while the program runs.
     *
     * @throws IllegalArgumentException if there is no memory for it, naming the variable
     */
    void checkMemory(GrowingLayout layout, RegionSpec added) {
        terms.memory().checkGrown(layout, added);
    }

    /** Adds the processes of a node. */
    void addNode(SimNode node, Layout layout) {
        for (int i = 0; i < simulation.cluster().processes(); i++) {
            links.add(new SimLink(this, node, MappingId.of(i), layout));
        }
    }

    /** The links, in order of node and process. */
    List<SimLink> links() {
        return links;
    }

    // ---- turns ----

    void runs(AppThread thread) {
        current = thread;
    }

    /** The application thread that ran has suspended or ended. */
    void hasRun() {
        current = null;
        violation.ifPresent(found -> {
            throw found;
        });
        if (isStopped) {
            throw new IllegalStateException("the simulation was stopped from outside");
        }
        interruptible.removeIf(AppThread::cancelIfInterrupted);
    }

    /**
     * The calling application thread.
     *
     * @throws IllegalStateException if the caller is no application thread of this simulation
     */
    AppThread current() {
        AppThread running = current;
        if (running == null || running.javaThread() != Thread.currentThread()) {
            throw new IllegalStateException(
                    "thread "
                            + Thread.currentThread().getName()
                            + " is no application thread of this simulation");
        }
        return running;
    }

    /**
     * Lets time pass for a running thread without a suspension.
     *
     * @return false if another action may be due meanwhile
     */
    boolean passTime(long nanos) {
        return interruptible.isEmpty()
                && simulation.nowNanos() < terms.limitNanos()
                && !isStopped
                && simulation.passTime(nanos);
    }

    /** Lets an interrupt end the wait of a thread. */
    void watchInterrupts(AppThread thread) {
        interruptible.add(thread);
    }

    void unwatchInterrupts(AppThread thread) {
        interruptible.remove(thread);
    }

    // ---- course of the run ----

    /** The root has initialized, and its pages are sealed. */
    void initialized() {
        simulation.initialized();
        terms.onInitialized().accept(this);
    }

    /**
     * Records a violation that was found within the program's code, which must not catch it.
     *
     * @return never
     */
    RuntimeException violated(Violation found, Coroutine where) {
        violation = violation.or(() -> Optional.of(found));
        where.suspend();
        throw new IllegalStateException("a run goes on after a violation", found);
    }

    /** A node's program has thrown an exception; the first failure counts. */
    void failed(NodeId node, Throwable cause) {
        if (cause instanceof Abandoned || failure.isPresent()) {
            return;
        }
        if (cause instanceof NodeLostException && simulation.lost().isPresent()) {
            failure = failure(String.valueOf(cause.getMessage()), cause);
            return;
        }
        String reason = "its program failed: " + cause.toString().lines().findFirst().orElse("");
        failure = failure("node " + node + ": " + reason, cause);
        simulation.programFailed(node, reason);
    }

    private static Optional<AppResult.Failure> failure(String text, Throwable cause) {
        return Optional.of(new AppResult.Failure(text, Optional.of(cause)));
    }

    /** The root has verified. */
    void concluded(Verdict found) {
        verdict = Optional.of(found);
        links.forEach(SimLink::runConcluded);
    }

    boolean isConcluded() {
        return verdict.isPresent();
    }

    /** Ends the simulation as soon as possible. Any thread may call it. */
    void stop() {
        isStopped = true;
    }

    /** Ends all application code that has not ended. */
    void abandon() {
        links.forEach(SimLink::abandon);
    }

    AppResult result() {
        Optional<AppResult.Failure> why =
                failure.or(() ->
                        simulation
                                .failure()
                                .map(text -> new AppResult.Failure(text, Optional.empty())));
        return new AppResult(
                verdict.orElse(Verdict.unchecked()),
                why,
                links.getFirst().session().seconds(),
                links.stream().filter(SimLink::isFirst).map(SimLink::counts).toList(),
                regions(),
                simulation.nowNanos(),
                simulation.steps(),
                simulation.traceHash());
    }

    private List<RegionSpec> regions() {
        SimPages pages = simulation.nodes().getFirst().pages();
        return IntStream.range(0, pages.regionCount()).mapToObj(pages::spec).toList();
    }
}
