package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.LiveTracer;
import io.muninn.agent.NodeMachine;
import io.muninn.agent.calls.CallConnection;
import io.muninn.agent.calls.CallServer;
import io.muninn.agent.memory.MemoryHandover;
import io.muninn.api.Cluster;
import io.muninn.application.AgentAddress;
import io.muninn.model.NodeId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.nativefault.BrokenPoolException;
import io.muninn.nativefault.TrappedProcess;
import io.muninn.report.WaitMeters;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.net.RandomBytes;
import io.muninn.transport.net.Refusals;
import io.muninn.wire.MalformedMessageException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * The life cycle of one node, from start to exit status. It starts the application, one child
 * process or several, accepts its memory, joins the cluster, and ends when the run is over, when a
 * node is lost, or when a process of its application or its launcher is gone. {@link Phase} has the
 * table of phases and events; {@link HostAgent} has the common part of all nodes of an agent.
 *
 * <p>Faults, messages of the cluster, and the calls of a running program do not pass through this
 * class: {@link NodeMachine} receives them.
 *
 * <p><b>Threads.</b> {@link #listen} on the main thread, {@link #counter} on any; everything else
 * on the event loop.
 */
final class LifeCycle {
    /** Time for the {@code finally} blocks of a program whose run fails. */
    static final Duration GRACE = Duration.ofSeconds(1);

    /** Time for an application to exit after it was permitted to. */
    static final Duration EXIT_LIMIT = Duration.ofSeconds(2);

    private static final int TOKEN_BYTES = 32;
    private static final int NAME_BYTES = 8;

    private final AgentConfig config;
    private final HostAgent host;
    private final AgentEventLoop loop;
    private final byte[] token = RandomBytes.of(TOKEN_BYTES);
    private final String name;
    private final EndOfRun endOfRun;
    private final Refusals refusals = new Refusals(this::warn);
    private final ApplicationEvents events;
    private final CallServer calls;
    private final LastingWaits waits;
    private final UnansweredRequests unanswered;
    private final AtomicReference<Optional<LiveTracer>> tracer =
            new AtomicReference<>(Optional.empty()); // for the thread that serves metrics
    private final List<Cancellable> watches = new ArrayList<>();
    private Phase phase = new Phase.Created();
    private int refusal = ExitStatus.FAILED; // status after a refused declaration

    /**
     * @param host serves this node
     */
    LifeCycle(AgentConfig config, HostAgent host) {
        this.config = config;
        this.host = host;
        name = "muninn-agent-" + HexFormat.of().formatHex(RandomBytes.of(NAME_BYTES));
        loop = host.loop().of(this::onLoopFailure);
        endOfRun = new EndOfRun(config);
        events = new ApplicationEvents(this, loop);
        calls = new CallServer(token, refusals, events);
        waits = new LastingWaits(this, loop);
        unanswered = new UnansweredRequests(config.membership().heartbeatLimit());
    }

    /** Returns a counter, 0 before the application has handed over its memory. Any thread. */
    long counter(NodeCounter counter) {
        return tracer.get().map(live -> live.value(counter)).orElse(0L);
    }

    /** The locks that threads hold, while the node has its memory. */
    List<WaitMeters.Holder> holders() {
        return phase instanceof Phase.Undecided now ? now.machine().holders() : List.of();
    }

    AgentConfig config() {
        return config;
    }

    HostAgent host() {
        return host;
    }

    EndOfRun endOfRun() {
        return endOfRun;
    }

    Refusals refusals() {
        return refusals;
    }

    Phase phase() {
        return phase;
    }

    void become(Phase next) {
        phase = next;
    }

    ApplicationEvents events() {
        return events;
    }

    CallServer calls() {
        return calls;
    }

    LastingWaits waits() {
        return waits;
    }

    /** The socket at which the application hands over its memory. */
    String faultSocket() {
        return name + "-faults";
    }

    /** Ends with the node. */
    void watch(Cancellable watch) {
        watches.add(watch);
    }

    /** Counts for the thread that serves metrics from now on. */
    void counts(LiveTracer live) {
        tracer.set(Optional.of(live));
    }

    /** Listens for the calls of the application. Not on the event loop: it waits for the loop. */
    void listen() {
        calls.listen(loop, name + "-calls");
    }

    /** Starts the application. */
    void start() {
        MemoryHandover memory = new MemoryHandover(faultSocket(), token, refusals);
        watches.add(loop.register(memory.fd(), () -> events.onFaultSocket(memory)));
        Applications applications;
        try {
            applications =
                    Applications.start(
                            config,
                            host.inputOf(config.self()),
                            this::address,
                            process -> how -> loseSelf(application(process) + " " + how),
                            (process, status) ->
                                    loop.execute(() -> applicationEnded(process, status)));
        } catch (IOException cannot) {
            end(ExitStatus.FAILED, "the application cannot be started: " + cannot.getMessage());
            return;
        }
        Phase.Choosing started = new Phase.Choosing(applications);
        phase = started;
        try {
            phase = started.chosen(host.engine(config.mechanism().engine()));
        } catch (IllegalArgumentException nothingWorks) {
            String text = String.valueOf(nothingWorks.getMessage());
            boolean rootSaysIt = config.launched() && !config.self().isRoot();
            end(ExitStatus.FAILED, rootSaysIt ? text.lines().findFirst().orElse("") : text);
            return;
        }
        scheduleLook();
        loop.patience(config.membership().joinTimeout().toNanos(), this::onJoinTimeout);
    }

    private AgentAddress address(int process) {
        return new AgentAddress(
                name + "-calls",
                token,
                config.self().index(),
                process,
                config.nodeThreads().first(process),
                new Cluster(config.nodes() * config.processes(), config.nodeThreads().perProcess()),
                config.processes() > 1 ? processName(process) : "node " + config.self());
    }

    String processName(int process) {
        return "process " + process + " of node " + config.self();
    }

    /** As in "its application", or "process 1 of node 0". */
    private String application(int process) {
        return config.processes() > 1 ? processName(process) : "its application";
    }

    private void onJoinTimeout() {
        switch (phase) {
            case Phase.WithoutMemory _, Phase.Attached _ -> {
                long seconds = config.membership().joinTimeout().toSeconds();
                end(ExitStatus.FAILED, "the application did not join within " + seconds + " s");
            }
            case Phase.Joining _, Phase.Running _, Phase.Closing _ -> {}
            case Phase.Decided _, Phase.Ended _ -> {}
            case Phase.Created _, Phase.Choosing _ -> throw impossible("the join timeout");
        }
    }

    private void scheduleLook() {
        long nanos = config.membership().heartbeatLimit().toNanos() / Liveness.LOOKS_PER_LIMIT;
        loop.schedule(nanos, this::look);
    }

    private void look() {
        if (phase instanceof Phase.WithApplication alive) {
            if (alive instanceof Phase.WithMemory attached) {
                attached.machine().warnOfOverdueFaults(this::warn);
                attached.machine().countOthers();
                Optional<String> overdue = unanswered.look(attached.machine());
                if (overdue.isPresent() && phase instanceof Phase.Undecided) {
                    loseSelf(overdue.get());
                    return;
                }
                List<TrappedProcess> trapped = attached.machine().engine().processes();
                attached.applications().look(process -> trapped.get(process)::ping);
            } else {
                alive.applications().look(_ -> () -> {});
            }
            scheduleLook();
        }
    }

    /**
     * Ends the node, because the launcher has ended or sends no heartbeats.
     *
     * @param how as in "the launcher is gone"
     */
    void launcherGone(String how) {
        endOfRun.discard();
        String text = "the launcher " + how;
        switch (phase) {
            case Phase.WithoutMemory _ -> end(ExitStatus.NODE_LOST, text);
            case Phase.Undecided now -> {
                phase = now.decided();
                endApplication(ExitStatus.NODE_LOST, config.self(), text, Duration.ZERO);
            }
            case Phase.Decided _ ->
                    // nothing else would end an application that does not exit
                    killAfter(EXIT_LIMIT);
            case Phase.Ended _ -> {}
            case Phase.Created _, Phase.Choosing _ -> throw impossible(text);
        }
    }

    /**
     * Ends the node if its run has not started, because another node has failed. Before the start,
     * no node notifies others of its end, and its messages have been printed.
     */
    void runFailed() {
        switch (phase) {
            case Phase.WithoutMemory _, Phase.Attached _, Phase.Joining _ -> {
                endOfRun.discard();
                kill();
                close(ExitStatus.FAILED);
            }
            case Phase.Running _, Phase.Closing _, Phase.Decided _, Phase.Ended _ -> {}
            case Phase.Created _, Phase.Choosing _ -> throw impossible("a failed run");
        }
    }

    // ---- the application ----

    int processOf(CallConnection caller) {
        return phase instanceof Phase.WithApplication alive
                ? alive.applications().processOf(caller)
                : 0;
    }

    /** The options of the run do not fit the program or the machine, which its end says. */
    void refuseOptions() {
        refusal = ExitStatus.USAGE;
    }

    void onProgramFailed(CallConnection caller, String trace) {
        int process = processOf(caller);
        String program =
                config.processes() > 1
                        ? application(process) + " failed: "
                        : "its program failed: ";
        String reason = program + trace.lines().findFirst().orElse("");
        switch (phase) {
            case Phase.WithoutMemory now -> {
                phase = now.failed();
                endOfRun.programFailed(refusal, reason);
            }
            case Phase.Undecided now -> {
                phase = now.decided();
                endOfRun.programFailed(ExitStatus.FAILED, reason);
                if (now instanceof Phase.Running || now instanceof Phase.Closing) {
                    now.machine().cluster().finish(ExitStatus.FAILED, reason);
                    now.machine().handle(new Event.PeerLost(config.self(), reason));
                }
            }
            case Phase.Decided _, Phase.Ended _ -> {}
            case Phase.Created _, Phase.Choosing _ -> throw impossible(reason);
        }
        if (phase instanceof Phase.WithMemory attached) {
            for (TrappedProcess each : attached.machine().engine().processes()) {
                if (each.mapping().index() == process) {
                    each.bye();
                }
            }
            loop.patience(
                    GRACE.toNanos(),
                    () ->
                            endProcesses(
                                    ExitStatus.FAILED, each -> each.mapping().index() != process));
        }
        caller.done(0);
        loop.patience(
                GRACE.plus(EXIT_LIMIT).toNanos(),
                () -> {
                    if (phase instanceof Phase.WithApplication alive) {
                        warn("its application does not end after its program failed: " + trace);
                        alive.applications().kill();
                    }
                });
    }

    /** Ends the run on every node, because its program is wrong. */
    void failRun(String reason) {
        if (phase instanceof Phase.Undecided now) {
            phase = now.decided();
            now.machine().cluster().finish(ExitStatus.FAILED, reason);
            endApplication(ExitStatus.FAILED, config.self(), reason, Duration.ZERO);
        }
    }

    private void applicationEnded(int process, int status) {
        String how =
                application(process)
                        + " "
                        + (phase instanceof Phase.WithMemory attached
                                ? ApplicationProcess.describe(
                                        status, attached.machine().engine().kind())
                                : ApplicationProcess.describe(status));
        switch (phase) {
            case Phase.WithoutMemory _, Phase.Attached _ -> endedEarly(process, status);
            case Phase.Joining _, Phase.Running _, Phase.Closing _ ->
                    loseSelf(how + " before the run was over");
            case Phase.Decided now -> {
                now.applications().ended(process);
                endOfRun.applicationEnded(application(process), status).ifPresent(this::warn);
                if (now instanceof Phase.Failed failed) {
                    failed.applications().kill(); // siblings have no memory by which to end them
                }
                if (now.applications().haveAllEnded()) {
                    stopWatching();
                    endOfRun.print();
                    close(endOfRun.status());
                }
            }
            case Phase.Ended _ -> {}
            case Phase.Created _, Phase.Choosing _ -> throw impossible(how);
        }
    }

    private void endedEarly(int process, int status) {
        if (status == ExitStatus.USAGE) { // the application has printed the reason
            endOfRun.failed(status, config.self(), "its application refused its options");
            kill(); // its siblings
            close(status);
        } else {
            end(
                    ApplicationProcess.isSignal(status) ? ExitStatus.NODE_LOST : ExitStatus.FAILED,
                    (config.processes() > 1 ? application(process) : "the application")
                            + " "
                            + ApplicationProcess.describe(status)
                            + " before it had joined");
        }
    }

    static MalformedMessageException outOfTurn(String call) {
        return new MalformedMessageException(call + " out of turn");
    }

    IllegalStateException impossible(String event) {
        return new IllegalStateException(phase.getClass().getSimpleName() + " and " + event);
    }

    // ---- the end ----

    /** Ends this node, which cannot continue, and the rest of its application; notifies others. */
    void loseSelf(String reason) {
        fail(ExitStatus.NODE_LOST, config.self(), "lost: " + reason);
        if (phase instanceof Phase.WithMemory attached) {
            attached.machine().cluster().lost(config.self(), reason);
        }
        kill();
        close(ExitStatus.NODE_LOST);
    }

    /** Ends with a message, before or without a cluster. */
    private void end(int status, String message) {
        fail(status, config.self(), message);
        kill();
        close(status);
    }

    /** Ends an application whose run failed, after some time for its {@code finally} blocks. */
    void endApplication(int status, NodeId culprit, String message, Duration grace) {
        warn(message);
        endApplicationSilently(status, culprit, message, grace);
    }

    /**
     * Ends an application because the run has failed on another node, which has printed the reason;
     * only nodes on other hosts than that one repeat it.
     */
    void endWithOther(int status, NodeId culprit, String reason) {
        String message = "node " + culprit + ": " + reason;
        if (config.launched()) {
            endApplicationSilently(status, culprit, message, GRACE);
        } else {
            endApplication(status, culprit, message, GRACE);
        }
    }

    private void endApplicationSilently(
            int status, NodeId culprit, String message, Duration grace) {
        endOfRun.failed(status, culprit, message);
        loop.patience(
                grace.toNanos(),
                () -> {
                    if (phase instanceof Phase.WithMemory) {
                        endProcesses(status, _ -> true);
                        killAfter(EXIT_LIMIT);
                    }
                });
    }

    /** Ends processes whose memory is attached; none, if the node has ended meanwhile. */
    private void endProcesses(int status, Predicate<TrappedProcess> which) {
        if (phase instanceof Phase.WithMemory attached) {
            for (TrappedProcess process : attached.machine().engine().processes()) {
                if (which.test(process)) {
                    process.end(status, "");
                }
            }
        }
    }

    private void kill() {
        if (phase instanceof Phase.WithApplication alive) {
            alive.applications().kill();
        }
    }

    private void killAfter(Duration delay) {
        loop.patience(delay.toNanos(), this::kill);
    }

    void onLoopFailure(Throwable cause) {
        if (cause instanceof BrokenMemoryException broken) {
            loseByMemory(broken);
        } else {
            cause.printStackTrace();
            halt("bug in the agent: " + cause);
        }
    }

    /** Ends the node on a violation. */
    void halt(String description) {
        if (!(phase instanceof Phase.Ended)) {
            System.err.println("node " + config.self() + ": " + description);
            loseSelf("its agent halted on a violation");
        }
    }

    /**
     * Ends the node, because its application has violated the protocol between application and
     * agent.
     */
    void loseByApplication(String reason) {
        if (!(phase instanceof Phase.Ended)) {
            loseSelf(
                    "its application sent what no thread of this version sends ("
                            + reason
                            + "); it has another version of Muninn, or has stored to memory that"
                            + " is not its own");
        }
    }

    /**
     * Compares the run's pool with the node's copies, when the program is over.
     *
     * @return false if it was overwritten; the node has ended then
     */
    boolean verifyPool() {
        try {
            if (phase instanceof Phase.WithMemory attached) {
                attached.machine().verifyPool();
            }
            return true;
        } catch (BrokenPoolException broken) {
            loseByMemory(broken);
            return false;
        }
    }

    /** Ends the node, because memory that it shares with applications was overwritten. */
    void loseByMemory(BrokenMemoryException broken) {
        String reason = String.valueOf(broken.getMessage());
        if (!(broken instanceof BrokenPoolException)) {
            loseByApplication(reason);
        } else if (!(phase instanceof Phase.Ended)) {
            loseSelf(reason + "; a process of the run has stored to memory that is not its own");
        }
    }

    private void stopWatching() {
        watches.forEach(Cancellable::cancel);
        watches.clear();
        if (phase instanceof Phase.WithApplication alive) {
            alive.applications().stopWatching();
        }
    }

    private void close(int status) {
        Phase last = phase;
        Phase.Ended end =
                new Phase.Ended(
                        last instanceof Phase.WithApplication alive
                                ? Optional.of(alive.applications())
                                : Optional.empty(),
                        status);
        stopWatching();
        phase = end;
        endOfRun.close(status);
        if (last instanceof Phase.WithMemory attached) {
            attached.machine().cluster().close().whenComplete((_, _) -> host.onEnded(this, end));
            loop.patience(EXIT_LIMIT.toNanos(), () -> host.onEnded(this, end));
        } else {
            host.onEnded(this, end);
        }
    }

    /** Ends a node that has not ended with the others. */
    void giveUp() {
        if (!(phase instanceof Phase.Ended)) {
            warn("did not end with the run; its application is killed");
            kill();
            close(ExitStatus.NODE_LOST);
        }
    }

    private void fail(int status, NodeId culprit, String text) {
        warn(text);
        endOfRun.failed(status, culprit, text);
    }

    void warn(String text) {
        System.err.println("node " + config.self() + ": " + text);
    }
}
