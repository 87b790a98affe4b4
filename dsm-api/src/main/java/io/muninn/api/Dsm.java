package io.muninn.api;

import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ClusterScope;
import io.muninn.api.spi.DsmProvider;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layouts;
import io.muninn.api.spi.ProgramRunner;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * The entry point to a cluster, for a {@code main}. In a process started by an agent, with {@code
 * ./dsm run … Main} or {@code ./dsm node … -- java … Main}, it joins the agent's node. Any other
 * process, such as one of an IDE, becomes the only node of a cluster of its own, with plain memory,
 * no faults and {@code -D}{@value #THREADS_PROPERTY} application threads (default 1). {@link
 * #run(Class, int, String...)} starts a cluster of processes instead.
 *
 * <p>The argument of {@code ./dsm run} is a class with such a {@code main}, or the class of a
 * {@link DsmProgram}, which it constructs and runs as {@link #run} does.
 *
 * <p><b>Threads.</b> One call per process that joins, from any thread. That thread becomes
 * application thread 0. Clusters of other processes may be started at any time.
 */
public final class Dsm {
    /** Application threads of a node without an agent, 1 to {@link #THREADS_MAX}. */
    public static final String THREADS_PROPERTY = "muninn.threads";

    /** Set by an agent in the environment of its applications. */
    private static final String AGENT_VARIABLE = "MUNINN_AGENT";

    /** Largest number of application threads per node. */
    public static final int THREADS_MAX = 1024;

    private Dsm() {}

    /**
     * Runs a program: lays out and binds its shared variables, initializes them on the root, runs
     * it on every application thread of this node, and verifies on the root.
     *
     * @param program a new instance; a program is used for one run
     * @return on node 0 the result of {@link DsmProgram#verify}, on other nodes {@link
     *     Verdict#unchecked}
     * @throws IllegalArgumentException if a declaration is wrong, naming the field
     * @throws DsmException if the cluster refuses this node; if another node fails or is lost
     *     ({@link NodeLostException}); or with a checked exception of the program as its cause.
     *     Unchecked exceptions and errors of the program are rethrown unchanged
     */
    public static Verdict run(DsmProgram program) {
        return ProgramRunner.run(program, provider());
    }

    /**
     * Runs a program on a cluster of processes of this machine, which this process starts, and of
     * which it is no node. Short for {@link LocalCluster#run}, which lists the exceptions.
     *
     * @param nodes of one thread each, at least 1
     * @param words the options of the program
     * @return the result of {@link DsmProgram#verify} on node 0
     */
    public static Verdict run(Class<? extends DsmProgram> program, int nodes, String... words) {
        return LocalCluster.of(nodes).run(program, words);
    }

    /**
     * Joins without declared shared variables; the program may allocate some. See {@link
     * Membership}.
     */
    public static Membership join() {
        return join(new Object());
    }

    /** Joins without an initializer; see {@link #join(Object, Consumer)}. */
    public static Membership join(Object declarations) {
        return join(declarations, _ -> {});
    }

    /**
     * Joins the cluster from an application's own {@code main}. Returns when all nodes may run.
     *
     * @param declarations an object with fields annotated {@link Shared}, the same on every node
     * @param initialize fills the shared variables; called on node 0 only
     * @throws IllegalArgumentException if a declaration is wrong, naming the field
     * @throws DsmException if the cluster refuses this node
     */
    public static Membership join(Object declarations, Consumer<DsmNode> initialize) {
        Layouts.Declared declared = Layouts.of(declarations);
        DsmSession session = provider().attach(declared.layout());
        try {
            declared.bind(session);
            if (session.nodeId() == 0) {
                initialize.accept(session.node(0));
            }
            session.initialized();
            declared.seal(session.layout());
            return new Membership(session);
        } catch (RuntimeException | Error cause) {
            session.failed(cause);
            throw cause;
        }
    }

    /**
     * The size of the run that the calling thread is about to take part in, or takes part in. A
     * program asks for it while it is constructed, to declare variables whose shape or number
     * depends on it:
     *
     * <pre>{@code
     * @Shared(Protocol.WRITE_SHARED)
     * private final LongArray sums = LongArray.of(8 * Dsm.cluster().positions());
     * }</pre>
     *
     * <p>In a process without an agent there is one node, and as many threads as {@link
     * #THREADS_PROPERTY} says. Keep the value in a field of the program, not in a static one: a
     * simulator runs clusters of different sizes in one process.
     *
     * @throws IllegalArgumentException if that property is no number of threads
     */
    public static Cluster cluster() {
        return ClusterScope.current().orElseGet(() -> provider().cluster());
    }

    private static DsmProvider provider() {
        for (DsmProvider provider : ServiceLoader.load(DsmProvider.class)) {
            if (provider.isAvailable()) {
                return provider;
            }
        }
        if (System.getenv(AGENT_VARIABLE) != null) {
            throw new DsmException(
                    "an agent has started this process, but the class path has no runtime by which"
                            + " to reach it; add all jars of dsm-apps/target/lib");
        }
        return new SingleNodeProvider(threads());
    }

    private static int threads() {
        String text = System.getProperty(THREADS_PROPERTY, "1");
        try {
            int threads = Integer.parseInt(text);
            if (threads >= 1 && threads <= THREADS_MAX) {
                return threads;
            }
        } catch (NumberFormatException cause) {
            throw new IllegalArgumentException(threadsRange(text), cause);
        }
        throw new IllegalArgumentException(threadsRange(text));
    }

    private static String threadsRange(String text) {
        return THREADS_PROPERTY
                + " is an integer from 1 to "
                + THREADS_MAX
                + ", not '"
                + text
                + "'";
    }
}
