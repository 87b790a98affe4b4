package io.muninn.sim.ncc;

import io.muninn.api.DsmException;
import io.muninn.api.DsmProgram;
import io.muninn.api.service.NodeSession;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.Layouts;
import io.muninn.api.spi.ProgramRunner;
import io.muninn.sim.app.PreparedSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs a program of the API on a machine whose nodes, of a processor each, address all memory. All
 * nodes have one memory and see each other's stores at once; what the coherence of their caches
 * takes is time alone. So results are right whatever the protocol, if the program has no data
 * races. Initialization and verification take no time, and the timed part begins with empty caches.
 *
 * <p>The same program, machine and seed give the same cycles.
 *
 * <p>Source: Kontothanassis and Scott, "Software cache coherence for large scale multiprocessors",
 * section 3. Departures: a program charges its computation and its private data by {@code
 * node.work}, so private data never miss; locks are at homes that their names determine.
 *
 * <p><b>Threads.</b> Any; {@link #run} returns when the run is over.
 */
public final class NccRun {
    /** Largest number of nodes: the coherent map and the directory have a bit for each. */
    public static final int NODES_MAX = Long.SIZE;

    /** Makes views check every access; read when their classes are loaded. */
    private static final String SIMULATED_PROPERTY = "muninn.simulated";

    private final Supplier<? extends DsmProgram> program;
    private final int nodes;
    private NccModel model = NccModel.PAPER;
    private NccProtocol protocol = NccProtocol.DISTRIBUTED_DELAYED;
    private WritePolicy policy = WritePolicy.MERGE_BUFFER;
    private long seed;

    private NccRun(Supplier<? extends DsmProgram> program, int nodes) {
        this.program = program;
        this.nodes = nodes;
    }

    /**
     * @param program creates equal programs, one for each node
     * @param nodes 1 to {@link #NODES_MAX}
     * @throws IllegalArgumentException if there are fewer or more nodes
     */
    public static NccRun of(Supplier<? extends DsmProgram> program, int nodes) {
        if (nodes < 1 || nodes > NODES_MAX) {
            throw new IllegalArgumentException(
                    "the machine has 1 to " + NODES_MAX + " nodes, not " + nodes);
        }
        return new NccRun(program, nodes);
    }

    /** Sets the machine; by default {@link NccModel#PAPER}. */
    public NccRun model(NccModel machine) {
        model = machine;
        return this;
    }

    /** Sets the protocol; by default {@link NccProtocol#DISTRIBUTED_DELAYED}. */
    public NccRun protocol(NccProtocol kind) {
        protocol = kind;
        return this;
    }

    /** Sets what caches do with stores under software protocols; by default a merge buffer. */
    public NccRun policy(WritePolicy kind) {
        policy = kind;
        return this;
    }

    /** Sets the seed of the choices by chance; by default 0. */
    public NccRun seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Runs the program.
     *
     * @throws IllegalStateException if this JVM does not have {@code -Dmuninn.simulated=true}, if
     *     processors wait for ever, or if the caller was interrupted
     * @throws UnsupportedOperationException if the program uses what the machine does not have
     */
    public NccResult run() {
        if (!Boolean.getBoolean(SIMULATED_PROPERTY)) {
            throw new IllegalStateException(
                    "a JVM that simulates runs with -D" + SIMULATED_PROPERTY + "=true");
        }
        Driver driver = new Driver(Layouts.of(program.get()).layout());
        Thread thread = Thread.ofVirtual().name("ncc").start(driver);
        try {
            thread.join();
        } catch (InterruptedException stop) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the run was interrupted", stop);
        }
        driver.thrown.ifPresent(NccRun::rethrow);
        return driver.result.orElseThrow();
    }

    /** One run, on a virtual thread of its own, from which coroutines switch faster. */
    private final class Driver implements Runnable {
        private final Layout layout;
        private Optional<NccResult> result = Optional.empty();
        private Optional<Throwable> thrown = Optional.empty();

        Driver(Layout layout) {
            this.layout = layout;
        }

        @Override
        public void run() {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment memory =
                        layout.bytes() == 0
                                ? MemorySegment.NULL
                                : arena.allocate(layout.bytes(), NccModel.PAGE_BYTES);
                MachineLink.Common[] common = new MachineLink.Common[1];
                Machine machine =
                        new Machine(
                                model,
                                protocol,
                                policy,
                                layout,
                                nodes,
                                seed,
                                node -> runNode(common[0], node));
                common[0] = new MachineLink.Common(machine, layout, memory);
                result = Optional.of(machine.run());
            } catch (Throwable cause) {
                thrown = Optional.of(cause); // for the caller
            }
        }

        private void runNode(MachineLink.Common common, int node) {
            NodeSession session = new NodeSession(new MachineLink(common, node));
            ProgramRunner.run(program.get(), new PreparedSession(session));
        }
    }

    private static void rethrow(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw new DsmException("the run failed: " + cause, cause);
    }
}
