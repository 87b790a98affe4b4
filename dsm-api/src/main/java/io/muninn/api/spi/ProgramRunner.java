package io.muninn.api.spi;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program in this process, over the session of a provider: binds its variables, initializes
 * on the root, runs its threads, verifies on the root.
 *
 * <p><b>Threads.</b> The caller is application thread 0; the session starts the others. The first
 * throwable of any thread ends the run.
 */
public final class ProgramRunner {
    /** Time for the {@code finally} clauses of other threads after a failure: 1 s. */
    private static final long FINALLY_NANOS = 1_000_000_000;

    private final DsmProgram program;
    private final Layouts.Declared declared;
    private final DsmSession session;
    private boolean isSealed; // guarded by the monitor; of variables filled in parts

    /** Null until a thread has failed. */
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private ProgramRunner(DsmProgram program, Layouts.Declared declared, DsmSession session) {
        this.program = program;
        this.declared = declared;
        this.session = session;
    }

    /**
     * Runs a program from attach to close.
     *
     * @return on node 0 the result of {@link DsmProgram#verify}, on other nodes {@link
     *     Verdict#unchecked}
     * @throws IllegalArgumentException if the declarations are wrong, see {@link Layouts#of}
     * @throws DsmException if the cluster refuses this node, or with a checked exception of the
     *     program as its cause; unchecked exceptions and errors of the program are rethrown
     *     unchanged
     */
    public static Verdict run(DsmProgram program, DsmProvider provider) {
        Layouts.Declared declared = Layouts.of(program);
        DsmSession session = provider.attach(declared.layout());
        return new ProgramRunner(program, declared, session).run();
    }

    private Verdict run() {
        try {
            declared.bind(session);
            if (session.nodeId() == 0) {
                program.initialize(session.node(0));
            }
            session.initialized();
            if (!declared.isFilledInParts()) {
                declared.seal(session.layout());
            }
            runThreads();
            if (failure.get() == null) {
                return finish();
            }
        } catch (Throwable cause) {
            fail(cause);
        }
        throw rethrown();
    }

    private void runThreads() throws Exception {
        List<ApplicationThread> extra = new ArrayList<>();
        for (int i = 1; i < session.threads(); i++) {
            int thread = i;
            extra.add(session.start(thread, () -> runExtra(thread)));
        }
        try {
            runThread(0);
            for (ApplicationThread thread : extra) {
                thread.join();
            }
        } catch (Throwable cause) {
            fail(cause);
            long deadline = session.nowNanos() + FINALLY_NANOS;
            for (ApplicationThread thread : extra) {
                thread.join(Math.max(1, deadline - session.nowNanos()));
            }
        }
    }

    private void runThread(int thread) throws Exception {
        DsmNode node = session.node(thread);
        if (declared.isFilledInParts()) {
            program.initializePart(node);
            node.group().barrier().await();
            sealParts();
            if (thread == 0) {
                session.partsInitialized();
            }
        }
        program.run(node);
        session.threadEnds(thread);
    }

    /** Seals the variables before this thread runs, unless another thread of this node has. */
    private synchronized void sealParts() {
        if (!isSealed) {
            declared.seal(session.layout());
            isSealed = true;
        }
    }

    private void runExtra(int thread) {
        try {
            runThread(thread);
        } catch (Throwable cause) {
            fail(cause); // thread 0 rethrows it
        }
    }

    private Verdict finish() throws Exception {
        Verdict verdict =
                session.nodeId() == 0 ? program.verify(session.node(0)) : Verdict.unchecked();
        if (verdict == null) { // by a program without our nullness checks
            throw noVerdict();
        }
        session.close(verdict);
        return verdict;
    }

    /** Without frames: none is of the program, and the text says where to look. */
    private DsmException noVerdict() {
        DsmException exception =
                new DsmException(
                        "verify of "
                                + program.getClass().getName()
                                + " returned null; return Verdict.unchecked() if it checks"
                                + " nothing");
        exception.setStackTrace(new StackTraceElement[0]);
        return exception;
    }

    /**
     * Records a failure. The first one ends the run; later ones of other threads are added to it as
     * suppressed.
     */
    private void fail(Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            try {
                session.failed(cause);
            } catch (RuntimeException unreported) {
                cause.addSuppressed(unreported);
            }
            return;
        }
        Throwable first = failure.get();
        if (first != null && first != cause) {
            first.addSuppressed(cause);
        }
    }

    private RuntimeException rethrown() {
        Throwable cause = Objects.requireNonNull(failure.get(), "the program has not failed");
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new DsmException("the program failed: " + Printable.of(cause), cause);
    }
}
