package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.calls.CallConnection;
import io.muninn.application.AgentAddress;
import io.muninn.model.NodeThreads;
import io.muninn.transport.loop.Cancellable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;

/**
 * The application processes of a node, most often one, and how far each has come. They attach one
 * after another, since the first creates the memory that the others receive.
 *
 * <p><b>Threads.</b> {@link #await} on any thread; everything else on the agent's event loop.
 */
final class Applications {
    /** Receives the end of a process, on any thread. */
    interface Exits {
        void onExit(int process, int status);
    }

    private final NodeThreads threads;
    private final List<ApplicationProcess> processes = new ArrayList<>();
    private final List<Liveness> liveness = new ArrayList<>();
    private final List<Runnable> joins = new ArrayList<>(); // by process, until they are performed
    private final List<Cancellable> watches = new ArrayList<>(); // of command sockets, by process
    private final List<CallConnection> ready = new ArrayList<>();
    private final List<CallConnection> closing = new ArrayList<>(); // not answered yet
    private final BitSet closed = new BitSet();
    private final BitSet ended = new BitSet();

    private Applications(NodeThreads threads) {
        this.threads = threads;
    }

    /**
     * Starts the processes.
     *
     * @param input standard input of the first; the others have none
     * @param address of the agent, by process
     * @param silence by process: receives what is wrong with it
     * @throws IOException if the command cannot be run
     */
    static Applications start(
            AgentConfig config,
            Redirect input,
            Function<Integer, AgentAddress> address,
            Function<Integer, Liveness.Owner> silence,
            Exits exits)
            throws IOException {
        Applications started = new Applications(config.nodeThreads());
        for (int i = 0; i < config.processes(); i++) {
            int process = i;
            try {
                started.processes.add(
                        ApplicationProcess.start(
                                config.command(),
                                i == 0 ? input : ApplicationProcess.NOTHING,
                                address.apply(i),
                                status -> exits.onExit(process, status)));
            } catch (IOException cannot) {
                started.kill();
                throw cannot;
            }
            started.liveness.add(
                    new Liveness(config.membership().heartbeatLimit(), silence.apply(i)));
            started.joins.add(() -> {});
        }
        return started;
    }

    /**
     * The process of a thread that calls. A thread that only reports a failure has number -1 - it.
     */
    int processOf(CallConnection caller) {
        int thread = caller.thread();
        return thread < 0 ? -1 - thread : threads.processOf(thread).index();
    }

    /** Performs a process's call JOIN when all processes before it have attached. */
    void join(int process, Runnable join) {
        if (process == watches.size()) {
            join.run();
        } else {
            joins.set(process, join);
        }
    }

    /**
     * The next process has attached.
     *
     * @param commands watches its command socket
     */
    void attached(Cancellable commands) {
        watches.add(commands);
        if (watches.size() < processes.size()) {
            joins.get(watches.size()).run();
        }
    }

    /** Stops watching the command socket of a process. */
    void gone(int process) {
        watches.get(process).cancel();
    }

    /**
     * A process waits for the start of the run.
     *
     * @return the calls of all processes, if this is the last; otherwise empty
     */
    List<CallConnection> ready(CallConnection caller) {
        ready.add(caller);
        return ready.size() == processes.size() ? List.copyOf(ready) : List.of();
    }

    /**
     * A process has closed and waits for the end of the run.
     *
     * @return false if it has closed before
     */
    boolean close(CallConnection caller) {
        int process = processOf(caller);
        if (closed.get(process)) {
            return false;
        }
        closed.set(process);
        closing.add(caller);
        return true;
    }

    /** True if a process waits for the end of the run. */
    boolean hasClosed() {
        return !closing.isEmpty();
    }

    boolean haveAllClosed() {
        return closed.cardinality() == processes.size();
    }

    /** Permits the processes that have closed to exit. */
    void answerClose() {
        closing.forEach(caller -> caller.done(0));
        closing.clear();
    }

    /** Records the end of a process. */
    void ended(int process) {
        ended.set(process);
    }

    boolean haveAllEnded() {
        return ended.cardinality() == processes.size();
    }

    void onPong(int process) {
        liveness.get(process).onPong();
    }

    /**
     * Checks whether the processes are alive.
     *
     * @param pings sends a ping to a process that has attached
     */
    void look(Function<Integer, Runnable> pings) {
        for (int i = 0; i < processes.size(); i++) {
            if (i < watches.size()) {
                liveness.get(i).look(processes.get(i), pings.apply(i));
            } else {
                liveness.get(i).look(processes.get(i));
            }
        }
    }

    void kill() {
        processes.forEach(ApplicationProcess::kill);
    }

    /** Waits for the end of every process, see {@link ApplicationProcess#await}. */
    void await(long timeoutMillis) throws InterruptedException {
        for (ApplicationProcess process : processes) {
            process.await(timeoutMillis);
        }
    }

    void stopWatching() {
        watches.forEach(Cancellable::cancel);
    }
}
