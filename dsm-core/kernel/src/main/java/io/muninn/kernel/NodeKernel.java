package io.muninn.kernel;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Cargo;
import io.muninn.spi.Context;
import io.muninn.spi.Effect;
import io.muninn.spi.EffectSink;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Hosts;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.ReservedBarriers;
import io.muninn.spi.TimerId;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.WaiterId;
import io.muninn.sync.CollectionMessage;
import io.muninn.sync.ReadWriteMessage;
import io.muninn.sync.RemoteMessage;
import io.muninn.sync.SyncMessage;
import io.muninn.waits.NodeWaits;
import io.muninn.waits.ThreadWait;
import io.muninn.wire.Codec;
import io.muninn.wire.WireMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The logic of one node: routes events to the protocols, to locks, barriers, conditions, letters,
 * refreshes, shipped objects and collections, and collects their effects. Equal states and events
 * give the same effects in the same order.
 *
 * <p>Methods: {@link #step} processes events; nothing else changes the kernel.
 *
 * <p><b>Threads.</b> One caller: the agent's event loop, or the simulator.
 */
public final class NodeKernel {
    private final KernelConfig config;
    private final LogicalClock clock;
    private final ProtocolTable protocols;
    private final CargoLoader cargo;
    private final Synchronization sync;
    private final Map<WaiterId, Event.Waiting> waits = new LinkedHashMap<>();
    private final OpenGates<GatedAcquire, VectorTimestamp> acquires = new OpenGates<>();
    private final OpenGates<GatedRelease, Long> releases = new OpenGates<>();
    private final ArrayDeque<WireMessage> toSelf = new ArrayDeque<>();
    private final HeldPages held;
    private final LocalViews views;
    private final KernelView view;
    private StepObserver observer = StepObserver.NONE;
    private final StepEffects out = new StepEffects();
    private long nowNanos;
    private boolean flushArmed;
    private int withdrawals;
    private boolean isSealing; // a call waits for the end of the initialization
    private Hosts hosts;
    private Outcome lost = Outcome.DONE; // a Lost once a node is lost

    /** With the registered protocols. */
    public NodeKernel(KernelConfig config) {
        this(config, Collections.emptyMap());
    }

    /**
     * @param others replace registered protocols, in tests
     */
    public NodeKernel(
            KernelConfig config,
            Map<Protocol, Function<Context, ProtocolKind.BoundProtocol<?>>> others) {
        this.config = config;
        this.hosts = Hosts.one(config.nodes());
        this.clock = new LogicalClock(config.self(), config.nodes(), config.threads().processes());
        this.protocols = new ProtocolTable(new KernelContext(), others);
        this.cargo = new CargoLoader(config.self(), config.nodes(), protocols, clock);
        this.views = new LocalViews(clock, config.threads(), this::beginAcquire);
        this.held = new HeldPages(protocols, config.updates());
        this.sync =
                new Synchronization(
                        config,
                        this::beginRelease,
                        this::beginAcquire,
                        cargo,
                        held.guarded(),
                        protocols,
                        views);
        this.view = new KernelView(this, sync, protocols, views, acquires, releases);
    }

    /** The codecs of every message that kernels exchange. */
    public static List<Codec<?>> codecs() {
        List<Codec<?>> all = new ArrayList<>(ProtocolKind.allCodecs());
        all.addAll(SyncMessage.CODECS);
        all.addAll(ReadWriteMessage.CODECS);
        all.addAll(CollectionMessage.CODECS);
        all.addAll(RemoteMessage.CODECS);
        return List.copyOf(all);
    }

    /**
     * Handles one event.
     *
     * @param sink receives the effects, in order
     * @throws ProtocolViolation if the event is impossible in the current state: a bug
     */
    public void step(Event event, EffectSink sink) {
        out.begin(sink);
        if (isRunOver()) {
            stepAfterLoss(event);
        } else {
            dispatch(event);
            settle();
            sync.collection.onKept(protocols.lazyBytes(), out);
        }
        settle();
    }

    /** A page as its protocol sees it, for messages. */
    public String describe(PageId page) {
        return "variable '"
                + protocols.region(page).name()
                + "' "
                + protocols.of(page).describe(page);
    }

    /** A page as its protocol sees it, for a checker. */
    public PageSnapshot snapshot(PageId page) {
        return protocols.of(page).snapshot(page);
    }

    /** The states of locks, barriers and all else that is synchronized. */
    public KernelView view() {
        return view;
    }

    /** See {@link KernelView#waits}. */
    List<Event.Waiting> waits() {
        return List.copyOf(waits.values());
    }

    /** See {@link KernelView#describeWaits}. */
    NodeWaits describeWaits(
            List<ThreadWait> threads, long sent, long received, List<String> strangers) {
        return new NodeWaits(
                config.self(),
                config.threads(),
                runningThreads(),
                sent,
                received,
                withdrawals == 0 && !isSealing && acquires.isEmpty() && releases.isEmpty(),
                threads,
                strangers);
    }

    /** For checks: notifies an observer within later steps. */
    public void observe(StepObserver steps) {
        observer = steps;
    }

    /**
     * Completes the step: delivers performed acquires, sends performed releases, and steps the
     * messages that the node has sent to itself.
     */
    private void settle() {
        while (true) {
            if (acquires.hasPerformed()) {
                var acquire = acquires.takePerformed();
                clock.onAcquirePerformed(acquire.time(), processes(acquire.gate()));
                views.onAcquirePerformed(out);
                observer.onAcquirePerformed(acquire.gate());
                sync.onAcquirePerformed(acquire.gate(), out);
                protocols.inUse().forEach(each -> each.protocol().onAcquirePerformed(out));
            } else if (releases.hasPerformed()) {
                var release = releases.takePerformed();
                clock.onReleasePerformed(release.time());
                observer.onReleasePerformed(release.gate());
                sync.onReleasePerformed(release.gate(), out);
            } else if (!toSelf.isEmpty()) {
                observer.onOwnMessage(toSelf.element());
                onMessage(config.self(), toSelf.remove());
            } else {
                return;
            }
        }
    }

    /** The processes that see what an acquire covers: all of them if no protocol has views. */
    private List<MappingId> processes(GatedAcquire acquire) {
        return protocols.haveViews()
                ? acquire.processes(config.threads())
                : config.threads().allProcesses();
    }

    private void dispatch(Event event) {
        if (event instanceof Event.Waiting call) {
            startWait(call);
        }
        switch (event) {
            case Event.FaultRaised fault -> onFault(fault);
            case Event.PrefetchCalled(var mapping, PageId first, int count, Mode mode) -> {
                out.process = mapping;
                protocols.onPrefetch(first, count, mode, out);
                out.count(NodeCounter.PREFETCHES, count);
            }
            case Event.Advised advised -> held.guarded().onAdvised(advised, out);
            case Event.MessageArrived(NodeId from, WireMessage message, long now) -> {
                nowNanos = now;
                onMessage(from, message);
            }
            case Event.AcquireCalled call -> sync.locks.onAcquireCalled(call, out);
            case Event.AcquireCancelled(WaiterId waiter, LockId lock) ->
                    sync.locks.giveUp(lock, waiter, false, out);
            case Event.ReleaseCalled call -> sync.locks.onReleaseCalled(call, out);
            case Event.LocalAcquireCalled call -> sync.locks.onLocalAcquireCalled(call, out);
            case Event.Permitting about -> sync.onPermitting(about, out);
            case Event.ReleaseNoticed() -> onReleaseNoticed();
            case Event.BarrierReached call -> onBarrierReached(call);
            case Event.GatherCalled call -> sync.arrivals.onGatherCalled(call, out);
            case Event.WaitCalled call -> sync.conditions.onWaitCalled(call, out);
            case Event.SignalAwaited call -> sync.conditions.onSignalAwaited(call, out);
            case Event.SignalAwaitCancelled(WaiterId waiter) ->
                    sync.conditions.giveUp(waiter, false, out);
            case Event.SignalCalled call -> sync.conditions.onSignalCalled(call, out);
            case Event.SendCalled call -> sync.letters.onSendCalled(call, out);
            case Event.ReceiveCalled call -> sync.letters.onReceiveCalled(call, out);
            case Event.RefreshCalled call -> sync.refreshes.onRefreshCalled(call, out);
            case Event.Shipping about -> onShipping(about);
            case Event.Remoting about -> sync.onRemoting(about, out);
            case Event.RegionAdded added -> protocols.add(added);
            case Event.HostsMet(Hosts met) -> hosts = met;
            case Event.Sealed _ -> onSealed();
            case Event.AccessWithdrawn withdrawn -> onAccessWithdrawn(withdrawn);
            case Event.TimerFired(TimerId timer, long now) -> {
                nowNanos = now;
                onTimer(timer);
            }
            case Event.TwinMade made -> onTwinMade(made);
            case Event.PageEntered entered -> onPageEntered(entered);
            case Event.PoolDone(Protocol user, PoolResult result, long now) -> {
                nowNanos = now;
                protocols.of(user).onPoolDone(result, out);
            }
            case Event.DiffSaved saved -> protocols.of(saved.page()).onDiffSaved(saved, out);
            case Event.Loaded(var loads) ->
                    loads.forEach(each -> protocols.of(each.page()).onLoaded(each, out));
            case Event.RaceCheck result -> protocols.of(result.page()).onRaceCheck(result, out);
            case Event.LockReclaimed reclaimed -> sync.locks.onLockReclaimed(reclaimed, out);
            case Event.PeerLost(NodeId node, String reason) -> onPeerLost(node, reason);
        }
    }

    private void onBarrierReached(Event.BarrierReached call) {
        sync.arrivals.onBarrierReached(call, out);
        onMeeting(call.barrier());
    }

    private void onMeeting(BarrierId barrier) {
        if (barrier.equals(ReservedBarriers.END)) {
            sync.objects.onThreadsEnded(1, out);
        } else if (barrier.equals(ReservedBarriers.FINISH)) {
            sync.objects.onThreadsEnded(config.threads().count(), out);
        }
    }

    private void onShipping(Event.Shipping event) {
        switch (event) {
            case Event.ObjectDeclared declared -> sync.objects.onObjectDeclared(declared, out);
            case Event.ShipCalled call -> sync.calls.onShipCalled(call, out);
            case Event.PostCalled call -> sync.calls.onPostCalled(call, out);
            case Event.ReplyAwaited call -> sync.calls.onReplyAwaited(call, out);
            case Event.ServeCalled call -> sync.objects.onServeCalled(call, out);
            case Event.CallServed served -> sync.objects.onCallServed(served, out);
        }
    }

    /**
     * Steps an event after a loss. Nothing is requested from other nodes or sent to them. Faults on
     * present pages are resolved, and every call gets an error.
     */
    private void stepAfterLoss(Event event) {
        switch (event) {
            case Event.FaultRaised fault -> onFault(fault);
            case Event.TwinMade made -> onTwinMade(made);
            case Event.PageEntered entered -> onPageEntered(entered);
            case Event.Waiting call -> out.resumeWaiter(call.waiter(), lost);
            case Event.RegionAdded added -> protocols.add(added);
            case Event.MessageArrived _,
                    Event.HostsMet _,
                    Event.PrefetchCalled _,
                    Event.Advised _,
                    Event.ObjectDeclared _,
                    Event.CallServed _,
                    Event.AcquireCancelled _,
                    Event.SignalAwaitCancelled _,
                    Event.ReleaseCalled _,
                    Event.Permitting _,
                    Event.ReleaseNoticed _,
                    Event.AccessWithdrawn _,
                    Event.TimerFired _,
                    Event.DiffSaved _,
                    Event.PoolDone _,
                    Event.Loaded _,
                    Event.RaceCheck _,
                    Event.LockReclaimed _,
                    Event.RemotePerformed _,
                    Event.ConditionTested _,
                    Event.PeerLost _ -> {}
        }
    }

    private void onFault(Event.FaultRaised fault) {
        nowNanos = fault.nowNanos();
        out.process = fault.mapping();
        out.count(fault.kind().isStore() ? NodeCounter.WRITE_FAULTS : NodeCounter.READ_FAULTS);
        held.onFault(fault, out);
        if (fault.kind().isStore()) {
            protocols.of(fault.page()).onWriteFault(fault.page(), out);
        } else {
            protocols.of(fault.page()).onReadFault(fault.page(), out);
        }
    }

    private void onTwinMade(Event.TwinMade made) {
        nowNanos = made.nowNanos();
        out.process = made.mapping();
        out.count(NodeCounter.WRITE_FAULTS);
        out.count(NodeCounter.TRAP_TWINS);
        protocols.of(made.page()).onTwinMade(made.page(), out);
    }

    private void onPageEntered(Event.PageEntered entered) {
        nowNanos = entered.nowNanos();
        out.process = entered.mapping();
        out.count(NodeCounter.READ_FAULTS);
        out.count(NodeCounter.TRAP_ENTRIES);
        protocols.of(entered.page()).onPageEntered(entered.page(), entered.isChecked(), out);
    }

    private void onMessage(NodeId from, WireMessage message) {
        switch (message) {
            case ProtocolMessage about -> {
                protocols.onMessage(from, about, out);
                endSealing();
            }
            case SyncMessage about -> sync.onSyncMessage(from, about, out);
            case ReadWriteMessage about -> sync.onReadWriteMessage(from, about, out);
            case RemoteMessage about -> sync.onRemoteMessage(from, about, out);
            case CollectionMessage about -> sync.onCollectionMessage(from, about, out);
            default -> throw new ProtocolViolation("node=" + from + " event=" + message);
        }
    }

    private void onReleaseNoticed() {
        if (!flushArmed) {
            flushArmed = true;
            out.armTimer(new TimerId.FlushDue(), config.flushDelayNanos());
        }
    }

    private void onTimer(TimerId timer) {
        switch (timer) {
            case TimerId.FlushDue() -> {
                flushArmed = false;
                beginRelease(new GatedRelease.Elapsed(), out);
            }
            case TimerId.HoldOver(PageId page) -> {
                held.onTimerGone(page);
                protocols.of(page).onTimer(timer, out);
            }
            case TimerId.WaitOver(WaiterId waiter) -> onWaitOver(waiter);
            case TimerId.RemoteCheck() -> sync.home.onCheck(out);
        }
    }

    private void onWaitOver(WaiterId waiter) {
        switch (waits.get(waiter)) {
            case Event.AcquireCalled call -> sync.locks.giveUp(call.lock(), waiter, true, out);
            case Event.PermissionCalled call ->
                    sync.readWriteLocks.giveUp(call.lock(), waiter, true, out);
            case Event.BarrierReached call -> sync.arrivals.onWaitOver(call.barrier(), waiter, out);
            case Event.SignalAwaited _ -> sync.conditions.giveUp(waiter, true, out);
            case Event.ReceiveCalled _ -> sync.letters.giveUp(waiter, out);
            case Event.RemoteAwaited _ -> sync.remotes.onWaitOver(waiter, out);
            case null -> {} // its call ended when the timer fired
            case Event.Waiting _ -> throw new ProtocolViolation(waiter + " has no time limit");
        }
    }

    private void onSealed() {
        isSealing = true;
        protocols.forEach(protocol -> protocol.onSealed(out));
        endSealing();
    }

    private void onAccessWithdrawn(Event.AccessWithdrawn withdrawn) {
        withdrawals--;
        protocols.of(withdrawn.first()).onAccessWithdrawn(withdrawn, out);
        endSealing();
    }

    /** Answers the root when its pages are sealed, and are where other nodes expect them. */
    private void endSealing() {
        if (!isSealing
                || withdrawals > 0
                || protocols.inUse().stream().anyMatch(each -> each.protocol().isSealing())) {
            return;
        }
        isSealing = false;
        waits.values().stream()
                .filter(call -> call instanceof Event.Sealed)
                .toList()
                .forEach(call -> out.resumeWaiter(call.waiter(), Outcome.DONE));
    }

    private void onPeerLost(NodeId node, String reason) {
        lost = new Outcome.Lost(node.index(), reason);
        List.copyOf(waits.keySet()).forEach(waiter -> out.resumeWaiter(waiter, lost));
        protocols.forEach(protocol -> protocol.onPeerLost(node, out));
        acquires.abandon();
        releases.abandon();
    }

    private boolean isRunOver() {
        return lost instanceof Outcome.Lost;
    }

    private int runningThreads() {
        int threads =
                config.threads().count() + sync.objects.servedHere() + sync.calls.completers();
        return threads - waits.size();
    }

    private void startWait(Event.Waiting call) {
        Event.Waiting before = waits.put(call.waiter(), call);
        if (before != null) {
            throw new ProtocolViolation(call.waiter() + " waits in " + before + ", calls " + call);
        }
    }

    private void beginAcquire(GatedAcquire acquire, Cargo arrived, Effects effects) {
        beginAcquire(acquire, cargo.timestamp(arrived), effects);
    }

    private void beginAcquire(GatedAcquire acquire, VectorTimestamp until, Effects effects) {
        acquires.begin(acquire, until, protocols.inUse().size());
        protocols.inUse().forEach(each -> each.protocol().onAcquire(acquire, until, effects));
        if (!clock.seen().covers(until)) {
            endInterval(effects);
        }
    }

    private void endInterval(Effects effects) {
        protocols.inUse().forEach(each -> each.protocol().onIntervalEnd(effects));
        clock.endInterval();
    }

    private void beginRelease(GatedRelease leaving, Effects effects) {
        boolean awaitsPosts = sync.remotes.outstanding() > 0;
        int parts = protocols.inUse().size() + (awaitsPosts ? 1 : 0);
        releases.begin(leaving, clock.interval(), parts);
        protocols.inUse().forEach(each -> each.protocol().onRelease(leaving, effects));
        if (awaitsPosts) {
            sync.remotes.onRelease(leaving, effects);
        }
        if (!(leaving instanceof GatedRelease.Elapsed)) {
            endInterval(effects);
        }
    }

    /** Counts a step's effects, and keeps messages of the node to itself. */
    private final class StepEffects implements Effects {
        private EffectSink target = EffectSink.NO_STEP;
        private MappingId process = MappingId.FIRST;

        void begin(EffectSink sink) {
            target = sink;
            process = MappingId.FIRST;
        }

        @Override
        public MappingId mapping() {
            return config.threads().every();
        }

        @Override
        public MappingId process() {
            return process;
        }

        @Override
        public void add(Effect effect) {
            switch (effect) {
                case Effect.Send(NodeId to, WireMessage message) when to.equals(config.self()) ->
                        toSelf.add(message);
                case Effect.ResumeWaiter resume -> {
                    waits.remove(resume.waiter());
                    target.add(resume);
                }
                case Effect.CancelTimer cancel -> {
                    if (cancel.timer() instanceof TimerId.HoldOver(PageId page)) {
                        held.onTimerGone(page);
                    }
                    target.add(cancel);
                }
                case Effect.Withdraw withdraw -> {
                    withdrawals++;
                    target.add(withdraw);
                }
                default -> target.add(effect);
            }
        }

        @Override
        public void cameUnasked(PageId page) {
            held.cameUnasked(page);
        }

        @Override
        public void pageEvent(PageId page, String event) {
            observer.onPageEvent(page, event);
        }

        @Override
        public void armHold(PageId page, long delayNanos) {
            held.arm(page, delayNanos, this);
        }

        @Override
        public void count(NodeCounter counter, long amount) {
            target.count(counter, amount);
        }

        @Override
        public void releasePerformed(GatedRelease leaving) {
            releases.partPerformed(leaving);
        }

        @Override
        public void acquirePerformed(GatedAcquire acquire) {
            acquires.partPerformed(acquire);
        }

        @Override
        public void endInterval() {
            NodeKernel.this.endInterval(this);
        }

        @Override
        public void collectPerformed(long number) {
            sync.collection.onPartPerformed(number, this);
        }
    }

    /** The protocols' view of the node. */
    private final class KernelContext implements Context {
        @Override
        public NodeId self() {
            return config.self();
        }

        @Override
        public int nodes() {
            return config.nodes();
        }

        @Override
        public NodeThreads threads() {
            return config.threads();
        }

        @Override
        public Hosts hosts() {
            return hosts;
        }

        @Override
        public boolean hasRunningThreads() {
            return runningThreads() > 0;
        }

        @Override
        public long nowNanos() {
            return nowNanos;
        }

        @Override
        public LogicalClock clock() {
            return clock;
        }

        @Override
        public boolean checksRaces() {
            return config.checksRaces();
        }

        @Override
        public long holdNanos() {
            return config.holdNanos();
        }

        @Override
        public UpdateRules updates() {
            return config.updates();
        }

        @Override
        public AdaptiveTwinRules twins() {
            return config.twins();
        }

        @Override
        public boolean isRunOver() {
            return NodeKernel.this.isRunOver();
        }

        @Override
        public RegionSpec region(PageId page) {
            return protocols.region(page);
        }
    }
}
