package io.muninn.sim.app;

import io.muninn.api.Cluster;
import io.muninn.api.DsmException;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.spi.ClusterScope;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.Layouts;
import io.muninn.api.spi.ProgramRunner;
import io.muninn.model.BarrierId;
import io.muninn.sim.Observer;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpModel;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Hosts;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs an unchanged program of the API on a simulated cluster: initialization on the root, every
 * thread of every node, verification.
 *
 * <p>Restrictions. A thread must wait for others only by the services of its node and by the
 * futures of its calls. If it waits at a monitor, a latch or a future of {@code
 * CompletableFuture.allOf}, the run hangs until its caller is interrupted. Threads that the program
 * itself creates must not access shared variables: the access throws. A thread that shares a
 * processor must not poll by loads alone for stores of another thread of its node, because it keeps
 * its processor until it stops: the run ends with an error. A run is reproducible if its program
 * depends neither on a clock nor on identity hash codes.
 *
 * <p>Differences from a live run. A segment taken from a view is invalid once the node has lost one
 * of its pages, where a live access would fault, see {@link io.muninn.api.spi.AccessGuard#lend}. A
 * bulk access waits until the node has all its pages at once, where a live one proceeds page by
 * page. Observers are not notified of loads and stores.
 *
 * <p><b>Threads.</b> Any; {@link #run} returns when the run is over.
 */
public final class AppRun {
    /** All pages are at their homes; see {@link #placesPages}. */
    public static final BarrierId PLACED = new BarrierId("muninn.placed");

    /** Makes views check every access; read when their classes are loaded. */
    private static final String SIMULATED_PROPERTY = "muninn.simulated";

    /** The default of a live run. */
    private static final long HOLD_NANOS = 200_000;

    private static final long FLUSH_DELAY_NANOS = 1_000_000;

    /** A day of virtual time. */
    private static final long LIMIT_NANOS = 86_400_000_000_000L;

    /** How long a run may take to end when its caller is interrupted. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(1);

    private final Supplier<? extends DsmProgram> program;
    private final int nodes;
    private int processes = 1;
    private int threads = 1; // per process
    private int hosts = 1;
    private Optional<Protocol> protocol = Optional.empty();
    private int unitPages = 1;
    private boolean packs;
    private long holdNanos = HOLD_NANOS;
    private long flushDelayNanos = FLUSH_DELAY_NANOS;
    private UpdateRules updates = UpdateRules.DEFAULT;
    private AdaptiveTwinRules twins = AdaptiveTwinRules.DEFAULT;
    private MachineModel model = MachineModel.LOOPBACK;
    private ProcessorRules processors = ProcessorRules.ONE_EACH;
    private Optional<Delays> delays = Optional.empty();
    private List<Observer> observers = List.of();
    private boolean sendsStores; // by hardware, as they happen
    private boolean byteDiffs;
    private boolean checksRaces;
    private Consumer<Simulation> disruptions = _ -> {};
    private long limitNanos = LIMIT_NANOS;
    private boolean countsEveryPage;
    private boolean placesPages;

    private AppRun(Supplier<? extends DsmProgram> program, int nodes) {
        this.program = program;
        this.nodes = nodes;
    }

    /**
     * @param program creates equal programs, one for each process of each node
     * @param nodes number of nodes, at least 1
     */
    public static AppRun of(Supplier<? extends DsmProgram> program, int nodes) {
        return new AppRun(program, nodes);
    }

    /** Sets the processes of each node; by default 1. To the program each of them is a node. */
    public AppRun processes(int perNode) {
        processes = perNode;
        return this;
    }

    /** Sets the application threads per process; by default 1. */
    public AppRun threads(int perProcess) {
        threads = perProcess;
        return this;
    }

    /** Divides the nodes between hosts, each with a pool of its own; by default one. */
    public AppRun hosts(int count) {
        hosts = count;
        return this;
    }

    /** Overrides every annotation. */
    public AppRun protocol(Protocol override) {
        protocol = Optional.of(override);
        return this;
    }

    /** Makes pages of at least this many machine pages; by default as declared. */
    public AppRun unitPages(int pagesMin) {
        unitPages = pagesMin;
        return this;
    }

    /** Lets variables of one protocol share pages: none begins a page but the first. */
    public AppRun packed() {
        packs = true;
        return this;
    }

    /** Compares pages byte by byte, regardless of the elements. */
    public AppRun byteDiffs() {
        byteDiffs = true;
        return this;
    }

    /** Sets how long a node keeps a page that it has just obtained; by default as live. */
    public AppRun holdNanos(long nanos) {
        holdNanos = nanos;
        return this;
    }

    /** Sets how long stores stay unflushed after a release inside a node; by default as live. */
    public AppRun flushDelayNanos(long nanos) {
        flushDelayNanos = nanos;
        return this;
    }

    /** Sets how updates are sent, and how long an unused copy is kept; by default as live. */
    public AppRun updates(UpdateRules rules) {
        updates = rules;
        return this;
    }

    /** Sets when a write-shared page keeps its twin; by default as live. */
    public AppRun twins(AdaptiveTwinRules rules) {
        twins = rules;
        return this;
    }

    /** Sets the costs of operations; by default {@link MachineModel#LOOPBACK}. */
    public AppRun model(MachineModel machines) {
        model = machines;
        return this;
    }

    /** Sets the processors of each node; by default one for each thread. */
    public AppRun processors(ProcessorRules rules) {
        processors = rules;
        return this;
    }

    /** Sets delays that replace the exact ones of the model. */
    public AppRun delays(Delays machine) {
        delays = Optional.of(machine);
        return this;
    }

    /**
     * Simulates nodes with several processors, one for each thread, with the hold time and the time
     * of flushes of the model. Replaces all costs and delays set so far; {@link #model} may set
     * another cost of work afterwards.
     *
     * @param policy where requests of other nodes are handled
     * @param seed of the choices by chance
     */
    public AppRun machine(SmpModel smp, HandlerPolicy policy, long seed) {
        return machine(smp, policy, false, seed);
    }

    /**
     * As above.
     *
     * @param updates whether stores to home-based pages with another home leave as automatic
     *     updates (AURC)
     */
    public AppRun machine(SmpModel smp, HandlerPolicy policy, boolean updates, long seed) {
        sendsStores = updates;
        return model(MachineModel.of(smp))
                .delays(Delays.smp(smp, policy, updates, seed))
                .processors(ProcessorRules.ONE_EACH)
                .holdNanos(smp.holdNanos())
                .flushDelayNanos(smp.flushNanos());
    }

    /** Checks for overlapping stores of several nodes, and notifies observers of them. */
    public AppRun checkRaces() {
        checksRaces = true;
        return this;
    }

    public AppRun observers(List<Observer> all) {
        observers = List.copyOf(all);
        return this;
    }

    /**
     * @param trouble plans disruptions once the root has initialized
     */
    public AppRun disruptions(Consumer<Simulation> trouble) {
        disruptions = trouble;
        return this;
    }

    /**
     * Lets each process load from the home-based pages of which it is the home, between the
     * initialization and the program's threads. Then no content is at the root only. The processes
     * meet at the barrier {@link #PLACED} afterwards.
     */
    public AppRun placesPages() {
        placesPages = true;
        return this;
    }

    /** Lets each node keep the counts of every page, not only of falsely shared ones. */
    public AppRun countsEveryPage() {
        countsEveryPage = true;
        return this;
    }

    /** Sets the time after which a run that has not ended is a violation; by default a day. */
    public AppRun limitNanos(long nanos) {
        limitNanos = nanos;
        return this;
    }

    /**
     * The rules of updates. Where hardware sends stores, no twin is left as a base to merge an
     * image with, so fetches take pages.
     */
    private UpdateRules rules() {
        UpdateRules rules = updates.forProcesses(processes);
        return sendsStores && processes > 1 ? rules.withViews(Views.TAKING) : rules;
    }

    /**
     * Runs the program.
     *
     * @throws IllegalArgumentException before the start, if the run needs too much memory, its
     *     declarations are wrong or differ between nodes, its pool has no use, or its accesses cost
     *     nothing
     * @throws IllegalStateException if this JVM does not have {@code -Dmuninn.simulated=true}, or
     *     if the caller was interrupted
     * @throws io.muninn.sim.Violation if a check fails, or if threads wait and no action is planned
     */
    public AppResult run() {
        if (!Boolean.getBoolean(SIMULATED_PROPERTY)) {
            throw new IllegalStateException(
                    "a JVM that simulates runs with -D" + SIMULATED_PROPERTY + "=true");
        }
        if (model.accessPicos() < 1) {
            throw new IllegalArgumentException(
                    "accesses that cost nothing: a program that polls would do so for ever");
        }
        List<DsmProgram> programs = new ArrayList<>();
        for (int i = 0; i < nodes * processes; i++) {
            programs.add(ClusterScope.during(cluster(), program::get));
        }
        MemoryNeeded memory = MemoryNeeded.here(nodes);
        Driver driver = new Driver(programs, memory);
        memory.check(driver.layout);
        rules().weak().checkPool(protocol, driver.layout);
        return driver.drive();
    }

    private Cluster cluster() {
        return new Cluster(nodes * processes, threads);
    }

    private static Layout declared(List<DsmProgram> programs) {
        Layout first = Layouts.of(programs.getFirst()).layout();
        for (int i = 1; i < programs.size(); i++) {
            int node = i;
            Layouts.of(programs.get(i))
                    .layout()
                    .firstDifference(first)
                    .ifPresent(difference -> {
                        throw new IllegalArgumentException(
                                "node "
                                        + node
                                        + " declares other variables than the root: "
                                        + difference);
                    });
        }
        return first;
    }

    /** One run, on a virtual thread of its own, from which {@link Coroutine} switches faster. */
    private final class Driver {
        private final List<DsmProgram> programs;
        private final AppCluster.Terms terms;
        private final Layout layout;
        private final AtomicReference<@Nullable AppCluster> running = new AtomicReference<>();
        private Optional<AppResult> result = Optional.empty();
        private Optional<Throwable> thrown = Optional.empty();

        Driver(List<DsmProgram> programs, MemoryNeeded memory) {
            this.programs = programs;
            terms =
                    new AppCluster.Terms(
                            model,
                            protocol,
                            unitPages,
                            packs,
                            byteDiffs,
                            memory,
                            limitNanos,
                            placesPages,
                            this::startOthers);
            layout = terms.inForce(declared(programs));
        }

        AppResult drive() {
            Thread driver = Thread.ofVirtual().name("simulation").start(this::run);
            try {
                driver.join();
            } catch (InterruptedException stop) {
                Optional.ofNullable(running.get()).ifPresent(AppCluster::stop);
                if (!hasEnded(driver)) {
                    driver.interrupt(); // a program's thread hangs; the exception names its place
                    hasEnded(driver);
                }
                Thread.currentThread().interrupt();
            }
            thrown.ifPresent(AppRun::rethrow);
            return result.orElseThrow(
                    () -> new IllegalStateException("the simulation cannot be stopped"));
        }

        private boolean hasEnded(Thread driver) {
            try {
                return driver.join(STOP_LIMIT);
            } catch (InterruptedException again) {
                return false;
            }
        }

        private void run() {
            try (Arena arena = Arena.ofShared()) {
                result = Optional.of(simulate(arena));
            } catch (Throwable cause) {
                thrown = Optional.of(cause); // for the caller
            }
        }

        private AppResult simulate(Arena arena) {
            Simulation.Cluster shape =
                    new Simulation.Cluster(
                            nodes,
                            processes * threads,
                            holdNanos,
                            flushDelayNanos,
                            rules(),
                            twins,
                            layout.regions(),
                            checksRaces,
                            0,
                            processors,
                            layout.regions().size(),
                            processes,
                            Hosts.blocks(nodes, hosts));
            Delays machine = delays.orElseGet(() -> Delays.exact(model));
            Simulation simulation = new Simulation(shape, machine, observers, arena);
            AppCluster cluster = new AppCluster(simulation, terms);
            running.set(cluster);
            if (countsEveryPage) {
                simulation.nodes().forEach(node -> node.statistics().keepEveryPage());
            }
            try {
                simulation.nodes().forEach(node -> node.remotes().allocate(layout.remoteBytes()));
                simulation.nodes().forEach(node -> cluster.addNode(node, layout));
                start(cluster.links().getFirst());
                simulation.run(limitNanos, Long.MAX_VALUE);
                return cluster.result();
            } finally {
                cluster.abandon();
            }
        }

        private void startOthers(AppCluster cluster) {
            disruptions.accept(cluster.simulation());
            cluster.links().subList(1, nodes * processes).forEach(this::start);
        }

        private void start(SimLink link) {
            DsmProgram mine = programs.get(link.shape().node());
            link.start(
                    0,
                    () -> {
                        try {
                            ProgramRunner.run(mine, new PreparedSession(link.session()));
                        } catch (Abandoned gone) {
                            throw gone;
                        } catch (Throwable cause) {
                            link.failed(cause); // unless the cluster knows already
                        }
                    });
        }
    }

    private static void rethrow(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw new DsmException("the simulation failed: " + cause, cause);
    }
}
