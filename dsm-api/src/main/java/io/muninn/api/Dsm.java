package io.muninn.api;

import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.DsmProvider;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layouts;
import io.muninn.api.spi.ProgramRunner;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * The way into a cluster. A process that an agent has started becomes part of the agent's node; any
 * other becomes a node by itself, the only one of its cluster: plain memory, no faults, {@code -D}
 * {@value #THREADS_PROPERTY} application threads (default 1). So the same program runs under {@code
 * ./dsm run} and in an IDE.
 *
 * <p><b>Threads.</b> Once per process; from any thread, which becomes application thread 0.
 */
public final class Dsm {
    /** Application threads of a node without an agent, 1 to {@link #THREADS_MAX}. */
    public static final String THREADS_PROPERTY = "muninn.threads";

    /** Most application threads of a node. */
    public static final int THREADS_MAX = 1024;

    private Dsm() {}

    /**
     * Runs a program: lays out and binds its shared variables, initializes them on the root, runs
     * it on every application thread of this node, and verifies on the root.
     *
     * @param program newly made; a program is for one run
     * @return on node 0 what {@link DsmProgram#verify} found, elsewhere {@link Verdict#unchecked}
     * @throws IllegalArgumentException if a declaration is wrong, naming the field
     * @throws DsmException if the cluster refuses this node; if another node fails or is lost
     *     ({@link NodeLostException}); or around a checked exception of the program. What else the
     *     program throws is thrown as it is
     */
    public static Verdict run(DsmProgram program) {
        return ProgramRunner.run(program, provider());
    }

    /** Joins with no shared variables but those to be allocated; see {@link Membership}. */
    public static Membership join() {
        return join(new Object());
    }

    /** Joins with nothing to initialize; see {@link #join(Object, Consumer)}. */
    public static Membership join(Object declarations) {
        return join(declarations, _ -> {});
    }

    /**
     * Joins the cluster from a {@code main} of one's own. Returns when all nodes may run.
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

    private static DsmProvider provider() {
        for (DsmProvider provider : ServiceLoader.load(DsmProvider.class)) {
            if (provider.isAvailable()) {
                return provider;
            }
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
