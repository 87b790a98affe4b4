package io.muninn.agent.lifecycle;

import io.muninn.agent.NodeMachine;
import io.muninn.agent.calls.CallConnection;
import io.muninn.agent.calls.CallServer;
import io.muninn.agent.calls.ReadyCall;
import io.muninn.agent.memory.LayoutLimits;
import io.muninn.agent.memory.MemoryHandover;
import io.muninn.api.spi.Layout;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallCodec;
import io.muninn.model.MappingId;
import io.muninn.nativefault.AgentMemory;
import io.muninn.nativefault.CommandSink;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.TrappedProcess;
import io.muninn.nativefault.VectorDiff;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import java.util.List;
import java.util.Optional;

/**
 * Calls and memory of the application's processes, which change the life cycle of a node. {@link
 * Phase} has the table.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class ApplicationEvents implements CallServer.Calls {
    private final LifeCycle life;
    private final AgentEventLoop loop;
    private boolean isRunOver; // the application has been permitted to exit

    ApplicationEvents(LifeCycle life, AgentEventLoop loop) {
        this.life = life;
        this.loop = loop;
    }

    @Override
    public void onCall(CallConnection caller, int call, WireReader body) {
        switch (call) {
            case Call.JOIN -> onJoin(caller, Layout.parse(CallCodec.text(body)));
            case Call.READY -> onReady(caller);
            case Call.CLOSE -> onClose(caller, EndOfRun.Conclusion.read(body));
            case Call.PLACES -> life.waits().onPlaces(caller, CallCodec.text(body));
            case Call.FAILED -> life.onProgramFailed(caller, CallCodec.text(body));
            default -> throw new MalformedMessageException("unknown, or out of turn");
        }
    }

    @Override
    public void onMalformedCall(CallConnection caller, String reason) {
        life.loseByApplication("thread " + caller.thread() + ", " + reason);
    }

    @Override
    public void onBadCall(CallConnection caller, Throwable cause) {
        life.onLoopFailure(cause);
    }

    private void onJoin(CallConnection caller, Layout declared) {
        int process = life.processOf(caller);
        Runnable join = () -> join(caller, life.config().inForce(declared));
        switch (life.phase()) {
            case Phase.WithoutMemory now -> now.applications().join(process, join);
            case Phase.Attached now when process > 0 -> now.applications().join(process, join);
            case Phase.Failed _, Phase.Ended _ -> {}
            case Phase.WithMemory _ -> throw LifeCycle.outOfTurn("join");
            case Phase.Created _, Phase.Choosing _ -> throw life.impossible("join");
        }
    }

    /** Answers a process whose turn to attach has come. */
    private void join(CallConnection caller, Layout inForce) {
        if (life.phase() instanceof Phase.WithoutMemory now) {
            declare(caller, now, inForce);
        } else if (life.phase() instanceof Phase.Attached now) {
            Layout ofFirst = new Layout(now.machine().regions(), now.machine().remotes());
            Optional<String> difference = ofFirst.firstDifference(inForce);
            if (difference.isPresent()) {
                caller.refused(
                        life.processName(life.processOf(caller))
                                + " declares other variables than process 0: "
                                + difference.get());
            } else {
                answerJoin(caller, inForce, now.machine().engine().kind().word());
            }
        }
    }

    private void declare(CallConnection caller, Phase.WithoutMemory now, Layout inForce) {
        try {
            LayoutLimits.check(inForce, life.config().coherence().memoryBytes());
            life.host().openRemotes(inForce.remoteBytes());
        } catch (IllegalArgumentException tooLarge) {
            caller.refused(String.valueOf(tooLarge.getMessage()));
            return;
        }
        try {
            life.host().openPool(inForce);
        } catch (IllegalArgumentException unusable) {
            life.refuseOptions();
            caller.refused(String.valueOf(unusable.getMessage()));
            return;
        }
        life.become(now.declared(inForce));
        answerJoin(caller, inForce, now.choice().engine());
    }

    private void answerJoin(CallConnection caller, Layout inForce, String engine) {
        caller.joined(
                life.config()
                        .joined(
                                inForce,
                                engine,
                                life.faultSocket(),
                                life.host().spinNanos(),
                                life.host().locals()::serves));
    }

    /** Accepts the application's memory, or a further process. */
    void onFaultSocket(MemoryHandover memory) {
        life.host().remotes().ifPresent(memory::share);
        life.host().pool().ifPresent(memory::share);
        Optional<TrappedProcess> accepted = memory.accept(life.phase() instanceof Phase.Declared);
        if (accepted.isEmpty()) {
            return;
        }
        TrappedProcess process = accepted.get();
        if (life.phase() instanceof Phase.Declared now) {
            attach(now, process);
        } else if (life.phase() instanceof Phase.WithMemory now) {
            life.watch(now.machine().join(process, loop));
            watchCommands(now.applications(), now.machine(), process);
        }
    }

    private void attach(Phase.Declared now, TrappedProcess first) {
        FaultEngine engine = first.engine();
        engine.use(VectorDiff.named(life.config().mechanism().diffKernel()).orElseThrow());
        NodeMachine.Trap trap = new NodeMachine.Trap(engine, now.choice().why());
        NodeMachine machine =
                new NodeMachine(
                        life.config(),
                        loop,
                        life.config().cluster(now.layout()),
                        life.host().locals(),
                        trap,
                        life.host().remotes().map(AgentMemory::words),
                        life.host().pool(),
                        new NodeEvents(life));
        life.counts(machine.tracer());
        life.become(now.attached(machine));
        life.watch(machine.open(now.layout(), loop, life.calls()));
        watchCommands(now.applications(), machine, first);
    }

    private void watchCommands(
            Applications applications, NodeMachine machine, TrappedProcess process) {
        Commands commands = new Commands(applications, machine, process.mapping());
        applications.attached(
                loop.register(process.commandFd(), () -> process.onCommandReadable(commands)));
    }

    /** Receives the messages of a process's command thread. */
    private record Commands(Applications applications, NodeMachine machine, MappingId process)
            implements CommandSink {
        @Override
        public void onPong(long sequence) {
            applications.onPong(process.index());
        }

        @Override
        public void onDropped(long sequence, long offset, long bytes) {
            machine.onWithdrawn(process);
        }

        @Override
        public void onApplicationGone() {
            applications.gone(process.index()); // its exit status follows, with more detail
        }
    }

    private void onReady(CallConnection caller) {
        switch (life.phase()) {
            case Phase.Attached now -> {
                List<CallConnection> all = now.applications().ready(caller);
                if (!all.isEmpty()) {
                    life.become(now.joining(new ReadyCall(all)));
                    now.machine().start();
                    life.host().onJoining(life);
                }
            }
            case Phase.Over _, Phase.Failed _, Phase.Ended _ -> {}
            case Phase.WithApplication _ -> throw LifeCycle.outOfTurn("ready");
            case Phase.Created _ -> throw life.impossible("ready");
        }
    }

    private void onClose(CallConnection caller, EndOfRun.Conclusion conclusion) {
        switch (life.phase()) {
            case Phase.Running now -> {
                close(now, caller);
                if (life.config().self().isRoot() && life.processOf(caller) == 0) {
                    if (!life.host().verifyPool()) {
                        return; // this node has ended, or hears of another's end
                    }
                    life.become(now.concluding());
                    conclude(now.machine(), conclusion);
                } else if (now.applications().haveAllClosed()) {
                    life.become(now.closing());
                }
            }
            case Phase.Concluding now -> close(now, caller); // answered with the first process
            case Phase.Over now -> {
                close(now, caller);
                life.become(now.applications().haveAllClosed() ? now.closed() : now);
                answerClose(now);
            }
            case Phase.Leaving now -> {
                close(now, caller);
                answerClose(now);
            }
            case Phase.Failed _, Phase.Ended _ -> {}
            case Phase.WithApplication _ -> throw LifeCycle.outOfTurn("close");
            case Phase.Created _ -> throw life.impossible("close");
        }
    }

    private static void close(Phase.WithMemory now, CallConnection caller) {
        if (!now.applications().close(caller)) {
            throw LifeCycle.outOfTurn("close");
        }
    }

    /** On the root: ends the run on all nodes. */
    private void conclude(NodeMachine machine, EndOfRun.Conclusion conclusion) {
        life.endOfRun().concluded(conclusion);
        life.endOfRun().add(machine.report());
        machine.cluster().finish(life.endOfRun().status(), "");
        if (life.endOfRun().isComplete()) {
            concluded();
        } else {
            loop.patience(LifeCycle.EXIT_LIMIT.toNanos(), this::concluded);
        }
    }

    /** On the root: called when every node has reported, or its time has elapsed. */
    void concluded() {
        if (life.phase() instanceof Phase.Concluding now
                && life.endOfRun().write(now.machine().regions())) {
            life.become(now.reported());
            answerClose(now);
        }
    }

    /** Permits the processes that have closed to exit; that is no longer a loss. */
    void answerClose(Phase.WithMemory now) {
        if (!isRunOver && now.applications().hasClosed()) {
            isRunOver = true;
            now.machine().runIsOver(life::warn);
        }
        now.applications().answerClose();
    }
}
