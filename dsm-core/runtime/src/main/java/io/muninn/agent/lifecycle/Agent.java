package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.LiveTracer;
import io.muninn.agent.NodeMachine;
import io.muninn.agent.calls.CallConnection;
import io.muninn.agent.calls.CallServer;
import io.muninn.agent.calls.ReadyCall;
import io.muninn.agent.memory.EngineChoice;
import io.muninn.agent.memory.Engines;
import io.muninn.agent.memory.LayoutLimits;
import io.muninn.agent.memory.MemoryHandover;
import io.muninn.api.spi.Layout;
import io.muninn.application.AgentAddress;
import io.muninn.ipc.Call;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.nativefault.CommandSink;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.VectorDiff;
import io.muninn.report.MetricsServer;
import io.muninn.report.MuninnMeters;
import io.muninn.report.NodeReport;
import io.muninn.spi.Event;
import io.muninn.transport.AgentEventLoop;
import io.muninn.transport.Cancellable;
import io.muninn.transport.RandomBytes;
import io.muninn.transport.Refusals;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One node's agent, from start to exit status. It starts the application as its child, takes over
 * its memory, joins the cluster, and from then on steps the kernel for every fault, call and
 * message. It ends when the run is over, when a node is lost, when its application is gone, or when
 * its launcher is.
 *
 * <pre>
 *             starting          joining            running            ending
 * JOIN        check, answer     –                  –                  –
 * memory      build machine     –                  –                  –
 * READY       →joining          –                  –                  –
 * started     –                 answer, →running   –                  –
 * CLOSE       –                 –                  root: finish all;  answer
 *                                                  else wait
 * finished    →ending           →ending            answer, →ending    ignore
 * loss        –                 →ending            tell kernel, →ending after a second
 * exit        →ending           →ending: lost      →ending: lost      end the agent
 * </pre>
 *
 * <p><b>Threads.</b> {@link #run} on the main thread; everything else on the event loop.
 */
public final class Agent implements NodeMachine.Owner {
    /** What {@code finally} blocks get when the run fails. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How long the application may take to end once it has been told to. */
    private static final Duration EXIT_LIMIT = Duration.ofSeconds(2);

    private static final int TOKEN_BYTES = 32;
    private static final int NAME_BYTES = 8;

    private enum Phase {
        STARTING,
        JOINING,
        RUNNING,
        ENDING
    }

    private final AgentConfig config;
    private final AgentEventLoop loop;
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final byte[] token = RandomBytes.of(TOKEN_BYTES);
    private final String name;
    private final EndOfRun endOfRun;
    private final Liveness liveness;
    private final Refusals refusals = new Refusals(this::warn);
    private final CallServer calls;
    private Phase phase = Phase.STARTING;
    private Optional<ApplicationProcess> application = Optional.empty();
    private Optional<MemoryHandover> handover = Optional.empty();
    private Optional<EngineChoice> choice = Optional.empty();
    private Optional<Layout> layout = Optional.empty();
    private Optional<FaultEngine> engine = Optional.empty();
    private Optional<NodeMachine> machine = Optional.empty();
    private final ReadyCall ready = new ReadyCall();
    private final AtomicReference<Optional<LiveTracer>> tracer =
            new AtomicReference<>(Optional.empty());
    private final List<Cancellable> watches = new ArrayList<>();
    private boolean runFinished;

    private Agent(AgentConfig config) {
        this.config = config;
        name = "muninn-agent-" + HexFormat.of().formatHex(RandomBytes.of(NAME_BYTES));
        loop = new AgentEventLoop(this::onLoopFailure, config.spinNanos());
        endOfRun = new EndOfRun(config);
        liveness = new Liveness(config.heartbeatLimit(), new Alive());
        calls = new CallServer(token, refusals, new Calls());
    }

    /**
     * Takes part in a run.
     *
     * @return the exit status, see {@link ExitStatus}
     */
    public static int run(AgentConfig config) throws InterruptedException {
        Agent agent = new Agent(config);
        try (@Nullable MetricsServer _ = agent.serveMetrics()) {
            return agent.run();
        } catch (IOException cannot) {
            agent.warn(cannot.getMessage());
            return ExitStatus.FAILED;
        }
    }

    /** Open while this agent runs; null without the option. */
    private @Nullable MetricsServer serveMetrics() throws IOException {
        if (config.metricsPort().isEmpty()) {
            return null;
        }
        MuninnMeters meters =
                new MuninnMeters(
                        config.self().index(),
                        counter -> tracer.get().map(live -> live.value(counter)).orElse(0L));
        return MetricsServer.start(config.metricsPort().getAsInt(), meters);
    }

    private int run() throws InterruptedException {
        calls.listen(loop, name + "-calls"); // waits for the loop, so not on it
        loop.execute(this::start);
        int status = ended.join();
        if (application.isPresent()) {
            application.get().await(EXIT_LIMIT.toMillis());
        }
        return status;
    }

    private void start() {
        MemoryHandover memory = new MemoryHandover(name + "-faults", token, refusals);
        handover = Optional.of(memory);
        watches.add(loop.register(memory.fd(), this::onFaultSocket));
        if (config.launched()) {
            watches.add(liveness.watchLauncher(loop));
        }
        try {
            AgentAddress address = new AgentAddress(name + "-calls", token, config.self().index());
            application =
                    Optional.of(
                            ApplicationProcess.start(
                                    config.command(),
                                    address,
                                    status -> loop.execute(() -> applicationEnded(status))));
        } catch (IOException cannot) {
            end(ExitStatus.FAILED, "the application cannot be started: " + cannot.getMessage());
            return;
        }
        try {
            choice = Optional.of(Engines.choose(config.engine())); // while its JVM starts
        } catch (IllegalArgumentException nothingWorks) {
            String text = nothingWorks.getMessage();
            boolean rootSaysIt = config.launched() && !config.self().isRoot();
            end(ExitStatus.FAILED, rootSaysIt ? text.lines().findFirst().orElse("") : text);
            return;
        }
        scheduleLook();
        loop.schedule(config.joinTimeout().toNanos(), this::onJoinTimeout);
    }

    private void onJoinTimeout() {
        if (phase == Phase.STARTING) {
            long seconds = config.joinTimeout().toSeconds();
            end(ExitStatus.FAILED, "the application did not join within " + seconds + " s");
        }
    }

    private void scheduleLook() {
        long nanos = config.heartbeatLimit().toNanos() / Liveness.LOOKS_PER_LIMIT;
        loop.schedule(nanos, this::look);
    }

    /** The application hands over its memory. */
    private void onFaultSocket() {
        Optional<FaultEngine> accepted =
                handover.orElseThrow().accept(layout.isPresent() && engine.isEmpty());
        if (accepted.isEmpty()) {
            return;
        }
        FaultEngine taken = accepted.get();
        taken.use(VectorDiff.named(config.diffKernel()).orElseThrow());
        engine = Optional.of(taken);
        NodeMachine.Trap trap = new NodeMachine.Trap(taken, choice.orElseThrow().why());
        NodeMachine built =
                new NodeMachine(
                        config, loop, config.cluster(layout.get()), trap, layout.get(), this);
        machine = Optional.of(built);
        tracer.set(Optional.of(built.tracer()));
        watches.add(built.watch(loop, calls));
        watches.add(loop.register(taken.commandFd(), this::onCommand));
    }

    private void onCommand() {
        engine.orElseThrow()
                .onCommandReadable(
                        new CommandSink() {
                            @Override
                            public void onPong(long sequence) {
                                liveness.onPong();
                            }

                            @Override
                            public void onDropped(long sequence, long offset, long bytes) {
                                machine.orElseThrow().onWithdrawn();
                            }

                            @Override
                            public void onApplicationGone() {
                                stopWatching(); // its exit status follows and tells more
                            }
                        });
    }

    private void look() {
        if (phase != Phase.ENDING) {
            machine.ifPresent(built -> built.warnOfOverdueFaults(this::warn));
            application.ifPresent(process -> liveness.look(process, engine));
            scheduleLook();
        }
    }

    private final class Alive implements Liveness.Owner {
        @Override
        public void onLauncherGone(String how) {
            endOfRun.launcherGone();
            if (runFinished) {
                killSoon(EXIT_LIMIT); // nobody else would end an application that stays
            } else {
                String text = "the launcher " + how;
                endWithApplication(ExitStatus.NODE_LOST, config.self(), text, Duration.ZERO);
            }
        }

        @Override
        public void onApplicationSilent(String how) {
            loseSelf("its application " + how);
        }
    }

    private void killSoon(Duration delay) {
        loop.schedule(delay.toNanos(), () -> application.ifPresent(ApplicationProcess::kill));
    }

    private void applicationEnded(int status) {
        stopWatching();
        if (phase == Phase.ENDING) {
            return;
        }
        if (runFinished) {
            endOfRun.print();
            closeCluster(endOfRun.status());
        } else if (phase != Phase.STARTING) {
            loseSelf(
                    "its application "
                            + ApplicationProcess.describe(status)
                            + " before the run was over");
        } else if (status == ExitStatus.USAGE) {
            endOfRun.failed(status, config.self(), "its application refused its options");
            closeCluster(status); // it has said why
        } else {
            end(
                    ApplicationProcess.isSignal(status) ? ExitStatus.NODE_LOST : ExitStatus.FAILED,
                    "the application "
                            + ApplicationProcess.describe(status)
                            + " before it had joined");
        }
    }

    /**
     * This node cannot go on: tells the others, ends what is left of the application, and itself.
     */
    private void loseSelf(String reason) {
        fail(ExitStatus.NODE_LOST, config.self(), "lost: " + reason);
        machine.ifPresent(m -> m.cluster().lost(config.self(), reason));
        application.ifPresent(ApplicationProcess::kill);
        closeCluster(ExitStatus.NODE_LOST);
    }

    /** Ends with a message, before or without a cluster. */
    private void end(int status, String message) {
        fail(status, config.self(), message);
        application.ifPresent(ApplicationProcess::kill);
        closeCluster(status);
    }

    /** Ends after the application has had some time for its {@code finally} blocks. */
    private void endWithApplication(int status, NodeId culprit, String message, Duration grace) {
        if (runFinished) {
            return;
        }
        runFinished = true;
        fail(status, culprit, message);
        loop.schedule(
                grace.toNanos(),
                () -> {
                    if (phase == Phase.ENDING) {
                        return;
                    }
                    if (engine.isPresent() && application.isPresent()) {
                        engine.get().end(status, "");
                        killSoon(EXIT_LIMIT);
                    } else {
                        application.ifPresent(ApplicationProcess::kill);
                        closeCluster(status);
                    }
                });
    }

    private void onLoopFailure(Throwable cause) {
        if (cause instanceof BrokenMemoryException broken) {
            onBrokenMemory(broken);
        } else {
            cause.printStackTrace();
            onHalt("bug in the agent: " + cause);
        }
    }

    @Override
    public void onBrokenMemory(BrokenMemoryException broken) {
        loseByApplication(String.valueOf(broken.getMessage()));
    }

    /** The application cannot be trusted with this node's part of the shared memory any more. */
    private void loseByApplication(String reason) {
        if (phase != Phase.ENDING) {
            loseSelf(
                    "its application sent what no thread of this version sends ("
                            + reason
                            + "); it has another version of Muninn, or has stored to memory that"
                            + " is not its own");
        }
    }

    private void stopWatching() {
        watches.forEach(Cancellable::cancel);
        watches.clear();
    }

    private void closeCluster(int status) {
        phase = Phase.ENDING;
        endOfRun.close(status);
        stopWatching();
        if (machine.isPresent()) {
            machine.get().cluster().close().whenComplete((_, _) -> ended.complete(status));
            loop.schedule(EXIT_LIMIT.toNanos(), () -> ended.complete(status));
        } else {
            ended.complete(status);
        }
    }

    private void fail(int status, NodeId culprit, String text) {
        warn(text);
        endOfRun.failed(status, culprit, text);
    }

    private void warn(String text) {
        System.err.println("node " + config.self() + ": " + text);
    }

    // ---- what the cluster tells ----

    @Override
    public void onStarted() {
        phase = Phase.RUNNING;
        endOfRun.ready();
        ready.started();
    }

    @Override
    public void onProgress(String text) {
        warn(text);
    }

    @Override
    public void onTurnedAway(String reason) {
        refusals.add("this node's address", reason);
    }

    @Override
    public long connectionsRefused() {
        return refusals.count();
    }

    @Override
    public boolean hasPage(PageId page) {
        return machine.orElseThrow().hasPage(page);
    }

    @Override
    public void onMessage(NodeId from, WireMessage message) {
        machine.orElseThrow().onMessage(from, message);
    }

    @Override
    public void onPeerLost(NodeId node, String reason) {
        if (runFinished) {
            return;
        }
        machine.orElseThrow().handle(new Event.PeerLost(node, reason));
        ready.lost(node, reason);
        String text = "node " + node + " is lost: " + reason;
        endWithApplication(ExitStatus.NODE_LOST, node, text, GRACE);
    }

    @Override
    public void onRefused(String text) {
        refuseReady("the cluster refuses this node: " + text);
    }

    @Override
    public void onFailed(String text) {
        refuseReady(text);
    }

    private void refuseReady(String text) {
        if (runFinished) {
            return; // what came first has been told
        }
        if (phase == Phase.JOINING) {
            runFinished = true;
            endOfRun.failed(ExitStatus.FAILED, config.self(), text);
            ready.refused(text); // the application says it
        } else {
            machine.orElseThrow().handle(new Event.PeerLost(config.self(), text));
            endWithApplication(ExitStatus.NODE_LOST, config.self(), text, GRACE);
        }
    }

    @Override
    public void onReport(NodeId from, byte[] report) {
        NodeReport decoded = NodeReport.decode(report);
        if (decoded.node() != from.index()) {
            throw new MalformedMessageException("a report of node " + decoded.node());
        }
        endOfRun.add(decoded);
        if (endOfRun.isComplete()) {
            conclude();
        }
    }

    @Override
    public void onFinished(NodeId from, int status, String text) {
        if (runFinished) {
            return;
        }
        NodeMachine built = machine.orElseThrow();
        if (text.isEmpty()) {
            runFinished = true;
            endOfRun.failed(status, from, "the run ended with status " + status);
            built.cluster().report(built.report().encode());
            endOfRun.answerClose(machine, this::warn);
        } else {
            built.handle(new Event.PeerLost(from, text));
            endWithApplication(status, from, "node " + from + ": " + text, GRACE);
        }
    }

    @Override
    public void failRun(String reason) {
        if (!runFinished) {
            machine.orElseThrow().cluster().finish(ExitStatus.FAILED, reason);
            endWithApplication(ExitStatus.FAILED, config.self(), reason, Duration.ZERO);
        }
    }

    @Override
    public void raceFound(PageId page, int offset, String text) {
        endOfRun.raceFound(text);
    }

    @Override
    public void onMalformed(NodeId from, String text) {
        machine.orElseThrow().cluster().lost(from, text);
        onPeerLost(from, text);
    }

    @Override
    public void onHalt(String description) {
        if (phase == Phase.ENDING) {
            return;
        }
        System.err.println("node " + config.self() + ": " + description);
        loseSelf("its agent halted on a violation");
    }

    // ---- what the application asks ----

    private final class Calls implements CallServer.Calls {
        @Override
        public void onCall(CallConnection caller, int call, WireReader body) {
            if (machine.isPresent() && machine.get().router().onCall(caller, call, body)) {
                return;
            }
            switch (call) {
                case Call.JOIN -> join(caller, Layout.parse(CallConnection.readText(body)));
                case Call.READY -> join(caller);
                case Call.CLOSE -> close(caller, EndOfRun.Conclusion.read(body));
                case Call.FAILED -> failed(caller, CallConnection.readText(body));
                default -> throw new MalformedMessageException("unknown, or out of turn");
            }
        }

        @Override
        public void onMalformedCall(CallConnection caller, String reason) {
            loseByApplication("thread " + caller.thread() + ", " + reason);
        }

        @Override
        public void onBadCall(CallConnection caller, Throwable cause) {
            onLoopFailure(cause);
        }
    }

    private void checkTurn(boolean isTurn, String call) {
        if (!isTurn) {
            throw new MalformedMessageException(call + " out of turn");
        }
    }

    private void join(CallConnection caller, Layout declared) {
        checkTurn(phase == Phase.STARTING && machine.isEmpty(), "join");
        Layout inForce = config.inForce(declared);
        try {
            LayoutLimits.check(inForce, config.memoryBytes());
        } catch (IllegalArgumentException tooLarge) {
            caller.refused(tooLarge.getMessage());
            return;
        }
        layout = Optional.of(inForce);
        caller.joined(config.joined(inForce, choice.orElseThrow().engine(), name + "-faults"));
    }

    private void join(CallConnection caller) {
        checkTurn(phase == Phase.STARTING && machine.isPresent(), "ready");
        ready.made(caller);
        phase = Phase.JOINING;
        machine.orElseThrow().start();
    }

    private void close(CallConnection caller, EndOfRun.Conclusion conclusion) {
        checkTurn(machine.isPresent() && endOfRun.closes(caller), "close");
        if (runFinished) {
            endOfRun.answerClose(machine, this::warn);
            return;
        }
        if (!config.self().isRoot()) {
            return; // until the root says that the run is over
        }
        runFinished = true;
        NodeMachine built = machine.orElseThrow();
        endOfRun.concluded(conclusion);
        endOfRun.add(built.report());
        built.cluster().finish(endOfRun.status(), "");
        if (endOfRun.isComplete()) {
            conclude();
        } else {
            loop.schedule(EXIT_LIMIT.toNanos(), this::conclude);
        }
    }

    /** On the root: every node has reported, or has had its time. */
    private void conclude() {
        if (endOfRun.write(machine.orElseThrow().regions())) {
            endOfRun.answerClose(machine, this::warn);
        }
    }

    /** The application tells what was thrown, and ends: its other threads must not hold it up. */
    private void failed(CallConnection caller, String trace) {
        if (!runFinished) {
            runFinished = true;
            String reason = "its program failed: " + trace.lines().findFirst().orElse("");
            endOfRun.failed(ExitStatus.FAILED, config.self(), reason);
            if (phase == Phase.RUNNING) {
                NodeMachine built = machine.orElseThrow();
                built.cluster().finish(ExitStatus.FAILED, reason);
                built.handle(new Event.PeerLost(config.self(), reason));
            }
        }
        engine.ifPresent(FaultEngine::bye);
        caller.done(0);
        loop.schedule(
                GRACE.plus(EXIT_LIMIT).toNanos(),
                () -> {
                    if (phase != Phase.ENDING) {
                        warn("its application does not end after its program failed: " + trace);
                        application.ifPresent(ApplicationProcess::kill);
                    }
                });
    }
}
