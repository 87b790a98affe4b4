package io.muninn.sim;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.directory.PageSnapshot;
import io.muninn.kernel.EffectPerformer;
import io.muninn.kernel.KernelConfig;
import io.muninn.kernel.KernelLoop;
import io.muninn.kernel.KernelView;
import io.muninn.kernel.NodeKernel;
import io.muninn.kernel.PageStatistics;
import io.muninn.kernel.port.RunControl;
import io.muninn.kernel.port.Tracer;
import io.muninn.kernel.port.Traps;
import io.muninn.kernel.port.Waiters;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Hosts;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.wire.WireMessage;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * One simulated node: its agent, which steps the kernel one event after another, and its
 * application threads.
 */
public final class SimNode implements Waiters, Tracer, RunControl, Traps {
    /** What a trap has done that its page's protocol does not know of. */
    enum Done {
        /** The page has a twin, and is writable for the process. */
        TWIN,
        /** The page is readable for the process. */
        ENTRY,
        /** As {@link #ENTRY}; the node must check the page at each acquire. */
        UNSAFE_ENTRY
    }

    record Trapped(MappingId process, PageId page, Done done) {}

    private final Simulation simulation;
    private final NodeId id;
    private final NodeKernel kernel;
    private final SimPages pages;
    private final KernelLoop loop;
    private final List<SimThread> threads = new ArrayList<>();
    private final List<SimThread> ownThreads = new ArrayList<>();
    private final Lane common = new Lane(Lane.NO_PROCESSOR);
    private final List<Lane> lanes = new ArrayList<>(); // the common one, then those of threads
    private final ArrayDeque<Trapped> trapped = new ArrayDeque<>(); // within the present step
    private final SimLockWords locks;
    private final SimTimers timers;
    private final SimRemotes remotes = new SimRemotes(this);
    private final long[] counts = new long[NodeCounter.values().length];
    private final Traffic traffic = new Traffic();
    private final PageStatistics statistics = new PageStatistics();
    private final Processors processors;
    private final SimLoads loads = new SimLoads(this);
    private final AgentWork work;
    private final PageWork pageWork;
    private final Optional<AutomaticUpdates> updates;
    private final List<BiConsumer<PageId, PageAccess>> shrinkListeners = new ArrayList<>();
    private Optional<PageId> unresolved = Optional.empty(); // of a fault that was just stepped
    private long pausedUntilNanos;
    private boolean sealing; // in the present step
    private boolean dead;

    SimNode(Simulation simulation, KernelConfig config, NodeKernel kernel, Arena arena) {
        this.simulation = simulation;
        this.id = config.self();
        this.locks = new SimLockWords(this, config.threads().processes());
        this.kernel = kernel;
        kernel.observe(new WithinSteps(this, simulation));
        this.pages = new SimPages(this, arena);
        this.processors = new Processors(this, simulation.cluster().processors());
        this.work = AgentWork.of(this);
        this.pageWork = new PageWork(this, work);
        this.updates =
                simulation
                        .machine()
                        .filter(SmpMachine::hasUpdates)
                        .map(machine -> new AutomaticUpdates(this, machine));
        this.lanes.add(common);
        this.timers =
                new SimTimers(simulation, thread -> thread(thread).calls(), this::arriveTimer);
        this.loop =
                new KernelLoop(
                        kernel,
                        new EffectPerformer.Ports(
                                (to, message) -> simulation.send(this, to, message),
                                pages,
                                locks,
                                this,
                                timers,
                                this,
                                this,
                                remotes,
                                new SimPoolMemory(this)),
                        this,
                        simulation::nowNanos,
                        statistics,
                        new Steps());
        for (int i = 0; i < config.threads().count(); i++) {
            threads.add(new SimThread(this, i, id.index() * config.threads().count() + i));
            if (simulation.machine().isPresent()) {
                lanes.add(new Lane(i));
            }
        }
    }

    public NodeId id() {
        return id;
    }

    public Simulation simulation() {
        return simulation;
    }

    public SimPages pages() {
        return pages;
    }

    /** The nodes have met, before anything else happens. */
    void meet(Hosts hosts) {
        loop.handle(new Event.HostsMet(hosts));
    }

    /** The pool of the node's host. */
    SimPool pool() {
        return simulation.pools().of(id);
    }

    /** The program's threads. */
    public List<SimThread> threads() {
        return threads;
    }

    /**
     * Threads that serve shipped objects and complete their calls; no thread waits for their end.
     */
    public List<SimThread> ownThreads() {
        return ownThreads;
    }

    /** The processors that run the threads of both kinds. */
    public Processors processors() {
        return processors;
    }

    /** A thread by its number, of the program or of the node's own. */
    public SimThread thread(int number) {
        return number < threads.size()
                ? threads.get(number)
                : ownThreads.stream()
                        .filter(thread -> thread.id().thread() == number)
                        .findFirst()
                        .orElseThrow();
    }

    /** The threads of both kinds. */
    Stream<SimThread> allThreads() {
        return Stream.concat(threads.stream(), ownThreads.stream());
    }

    /** Adds a thread of a process that does not belong to the program. */
    public SimThread addOwnThread(MappingId process) {
        NodeThreads numbers = simulation.cluster().nodeThreads();
        int before =
                (int) ownThreads.stream().filter(each -> each.process().equals(process)).count();
        SimThread added =
                new SimThread(
                        this,
                        numbers.further(process.index(), before),
                        simulation.nextOwnPosition());
        ownThreads.add(added);
        return added;
    }

    /** True once the node has died. */
    public boolean isDead() {
        return dead;
    }

    /** A page as the node's kernel sees it. */
    public PageSnapshot snapshot(PageId page) {
        return kernel.snapshot(page);
    }

    /** Locks, barriers and other synchronization, as the node's kernel sees them. */
    public KernelView view() {
        return kernel.view();
    }

    public LockWord lockWord(LockId lock) {
        return locks.word(lock);
    }

    /** The remote words of which this node is the home. */
    public SimRemotes remotes() {
        return remotes;
    }

    /** The words of locks in memory that the node's processes share with its agent. */
    public SimLockWords locks() {
        return locks;
    }

    public long count(NodeCounter counter) {
        return counts[counter.code()];
    }

    /** Messages sent, by kind. */
    public Traffic traffic() {
        return traffic;
    }

    /** Counts of each page. */
    public PageStatistics statistics() {
        return statistics;
    }

    /** Messages that have arrived and have not been stepped, with their senders, oldest first. */
    public void forEachArrived(BiConsumer<NodeId, WireMessage> action) {
        for (Lane.Arrived each : common.events()) {
            if (each.event()
                    instanceof Event.MessageArrived(NodeId from, WireMessage message, long _)) {
                action.accept(from, message);
            }
        }
    }

    /** The traits of a page's protocol. */
    public ProtocolTraits traits(PageId page) {
        return kind(page).traits();
    }

    /** The registered kind of a page's protocol. */
    public ProtocolKind kind(PageId page) {
        return pages.kind(page.region());
    }

    /** Describes a page, with its variable's name. */
    public String describe(PageId page) {
        return "node " + id + " " + kernel.describe(page);
    }

    /** Adds a region of the program, before any thread can touch it. */
    public void add(RegionSpec region) {
        pages.add(region);
        loop.handle(new Event.RegionAdded(region));
    }

    /** Adds a region that the program allocates, before any thread can touch it. */
    public void allocate(RegionSpec region) {
        pages.add(region);
        loop.handle(new Event.RegionAdded(region, true));
    }

    /** Queues an event from outside, after all that wait. */
    void arrive(Event event) {
        arrive(common, Lane.Arrived.of(event));
    }

    /** Queues an event of a thread, after all earlier ones of the thread. */
    void arrive(Event event, SimThread thread) {
        arrive(lane(thread), Lane.Arrived.of(event));
    }

    /** Queues an event of a thread, before all that wait. */
    void arriveFirst(Event event, SimThread thread) {
        Lane lane = lane(thread);
        lane.events().addFirst(Lane.Arrived.of(event));
        serve(lane);
    }

    /** Queues a message of this size. */
    void arriveMessage(Event event, int bytes) {
        arrive(common, Lane.Arrived.message(event, bytes, dead ? 0 : processors.interrupt()));
    }

    private void arriveTimer(TimerId timer, long number) {
        arrive(common, Lane.Arrived.timer(timer, number));
    }

    private Lane lane(SimThread thread) {
        int number = thread.id().thread() + 1;
        return number < lanes.size() ? lanes.get(number) : common;
    }

    private void arrive(Lane lane, Lane.Arrived arrived) {
        if (!dead) {
            lane.events().add(arrived);
            serve(lane);
        }
    }

    private void serve(Lane lane) {
        if (!lane.isServing()) {
            lane.serving(true);
            simulation.at(work.begin(lane), () -> stepNext(lane));
        }
    }

    private void stepNext(Lane lane) {
        if (dead) {
            return;
        }
        if (simulation.nowNanos() < pausedUntilNanos) {
            simulation.at(pausedUntilNanos, () -> stepNext(lane));
            return;
        }
        work.stepping(lane);
        Lane.Arrived next = lane.events().remove();
        if (next.isDue(timers)) {
            applyUpdates(next.event());
            loop.handle(stamped(next.event()));
        }
        work.end(lane);
        if (simulation.delays().isProcessorShared()) {
            unresolved.ifPresent(processors::leaveAt);
            unresolved = Optional.empty();
        }
        lane.serving(false);
        if (!lane.events().isEmpty()) {
            serve(lane);
        }
    }

    private void applyUpdates(Event next) {
        if (next instanceof Event.MessageArrived(NodeId from, var _, long _)) {
            updates.ifPresent(each -> each.apply(from));
        }
    }

    /** The time that the agent takes. */
    AgentWork work() {
        return work;
    }

    /** The automatic updates of the node, if its hardware has them. */
    public Optional<AutomaticUpdates> updates() {
        return updates;
    }

    /** The agent's work on pages. */
    PageWork pageWork() {
        return pageWork;
    }

    private Event stamped(Event event) {
        long now = simulation.nowNanos();
        return switch (event) {
            case Event.FaultRaised(var mapping, var page, var kind, var thread, long _) ->
                    new Event.FaultRaised(mapping, page, kind, thread, now);
            case Event.MessageArrived(var from, var message, long _) ->
                    new Event.MessageArrived(from, message, now);
            case Event.TimerFired(var timer, long _) -> new Event.TimerFired(timer, now);
            default -> event;
        };
    }

    /** What its threads have loaded. */
    public SimLoads loads() {
        return loads;
    }

    @Override
    public void beforeStep(Event event, Listener listener) {
        loads.report(listener);
    }

    @Override
    public void report(Listener listener) {
        loads.report(listener);
        while (!trapped.isEmpty()) {
            Trapped next = trapped.remove();
            switch (next.done()) {
                case TWIN -> listener.twinMade(next.process(), next.page());
                case ENTRY -> listener.entered(next.process(), next.page(), false);
                case UNSAFE_ENTRY -> listener.entered(next.process(), next.page(), true);
            }
        }
    }

    @Override
    public void afterStep(Listener listener) {
        report(listener);
        for (Trapped stays : pages.lifted()) {
            locks.watchReleases();
            listener.twinMade(stays.process(), stays.page());
        }
    }

    private static boolean resumes(List<Effect> effects, PageId page) {
        return effects.stream()
                .anyMatch(each ->
                        each instanceof Effect.ResumeFault resumed && resumed.page().equals(page));
    }

    /** Reports steps to the simulation, and exceptions as violations of the kernel. */
    private final class Steps implements KernelLoop.Observer {
        private List<Effect> last = List.of(); // of the last event that was stepped

        @Override
        public void stepping(Event event) {
            sealing = event instanceof Event.Sealed;
            simulation.beforeStep(SimNode.this, event);
        }

        @Override
        public void stepped(Event event, List<Effect> effects) {
            last = List.copyOf(effects); // observers iterate over it many times
            simulation.onStepped(SimNode.this, event, last);
        }

        @Override
        public void handled(Event outside, List<Effect> effects) {
            if (outside instanceof Event.FaultRaised fault && !resumes(effects, fault.page())) {
                unresolved = Optional.of(fault.page());
            }
            boolean isOne = last.size() == effects.size();
            simulation.afterStep(SimNode.this, outside, isOne ? last : List.copyOf(effects));
        }

        @Override
        public void failed(Event outside, Throwable cause) {
            switch (cause) {
                case ProtocolViolation impossible ->
                        throw new Violation(
                                "state × event table",
                                "node " + id + " " + impossible.getMessage(),
                                impossible);
                case Violation violation -> throw violation;
                case IllegalArgumentException _, IllegalStateException _, NullPointerException _ ->
                        throw kernelFails(outside, cause);
                case RuntimeException other -> throw other;
                case Error error -> throw error;
                default -> throw new IllegalStateException(cause);
            }
        }

        private Violation kernelFails(Event outside, Throwable cause) {
            return new Violation("kernel", "node " + id + " fails at " + outside, cause);
        }
    }

    /** Stops the agent and the application until this time. */
    void pauseUntil(long timeNanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, timeNanos);
    }

    long pausedUntilNanos() {
        return pausedUntilNanos;
    }

    /** Ends the node at once, even within a step. */
    void die() {
        dead = true;
        lanes.forEach(lane -> lane.events().clear());
        threads.forEach(SimThread::die);
        ownThreads.forEach(SimThread::die);
        processors.die();
    }

    /**
     * Resolves a store to a readable page by the thread's own trap, if possible. The thread then
     * continues at once, and no time passes.
     */
    boolean isTrapped(PageId page, MappingId process) {
        if (pages.isWithdrawing(page)
                || pages.hasTwin(page)
                || !simulation.delays().trapsMakeTwins(id.index())
                || !traits(page).has(Trait.TWINS)) {
            return false;
        }
        pages.trap(page, process);
        locks.watchReleases();
        if (loop.isStepping()) {
            trapped.add(new Trapped(process, page, Done.TWIN));
        } else {
            loop.handle(new Event.TwinMade(process, page, simulation.nowNanos()));
        }
        return true;
    }

    /** True while a thread's trap is entering a page. */
    public boolean isEntering(PageId page) {
        return pages.frame(page).isEntering;
    }

    /** True if a thread that faults at a page enters it in its own trap. */
    boolean isOffered(PageId page) {
        return simulation.delays().trapsMakeTwins(id.index()) && pages.frame(page).isOffered;
    }

    /**
     * Lets a thread enter a page in its own trap, at once or in a while.
     *
     * @return true if it may load from the page now; otherwise it stops, and is woken
     */
    boolean enter(PageId page, SimThread thread) {
        pages.frame(page).isOffered = false;
        pages.frame(page).isEntering = true;
        boolean isChecked = pool().enter(this, page);
        if (simulation.delays().isEntryLong()) {
            simulation.after(simulation.delays().trap(), () -> endEntry(page, thread, isChecked));
            return false;
        }
        endEntry(page, thread, isChecked);
        return true;
    }

    private void endEntry(PageId page, SimThread thread, boolean isChecked) {
        if (dead || pages.isPoisoned(page)) {
            return;
        }
        MappingId process = thread.process();
        pages.entered(page, process);
        thread.wakeUp(page);
        if (loop.isStepping()) {
            Done done = isChecked ? Done.UNSAFE_ENTRY : Done.ENTRY;
            trapped.add(new Trapped(process, page, done));
        } else {
            loop.handle(new Event.PageEntered(process, page, isChecked, simulation.nowNanos()));
        }
    }

    /** True if a timer of this node will fire. */
    public boolean isArmed(TimerId timer) {
        return timers.isArmed(timer);
    }

    void wakeUp(PageId page) {
        allThreads().forEach(thread -> thread.wakeUp(page));
    }

    /** Wakes the threads of one process that wait for a page. */
    void wakeUp(PageId page, MappingId process) {
        allThreads()
                .filter(thread -> thread.process().equals(process))
                .forEach(thread -> thread.wakeUp(page));
    }

    /** Adds a listener that is notified when access to a page of this node is reduced. */
    public void onShrink(BiConsumer<PageId, PageAccess> listener) {
        shrinkListeners.add(listener);
    }

    void accessShrinks(PageId page, PageAccess access) {
        shrinkListeners.forEach(listener -> listener.accept(page, access));
    }

    /** Lets threads store to a page within the step that withdraws it. */
    void goOnBeforeWithdrawal() {
        if (!sealing) {
            goOn();
        }
    }

    /** Lets threads of the program go on within a step, as far as the delays say so. */
    void goOn() {
        while (simulation.delays().goesOnInStep(id.index())) {
            threads.forEach(SimThread::goOnEarly);
        }
    }

    /**
     * Withdraws access at once, or after a delay. At sealing always after a delay, so that the runs
     * of known seeds do not change.
     *
     * @param isNothing the process has no access to these pages
     */
    void planWithdrawal(Event.AccessWithdrawn withdrawn, boolean isNothing) {
        if (isNothing) {
            pages.onWithdrawn(withdrawn);
            loop.handle(withdrawn);
            return;
        }
        if (!sealing && simulation.delays().withdrawsAtOnce(withdrawn.count())) {
            pageWork.withdrawn(
                    withdrawn.count(), pages.spec(withdrawn.first().region()).pageBytes());
            pages.onWithdrawn(withdrawn);
            loop.handle(withdrawn);
            return;
        }
        simulation.after(
                simulation.delays().withdrawal(),
                () -> {
                    if (!dead) {
                        pages.onWithdrawn(withdrawn);
                        arrive(withdrawn);
                    }
                });
    }

    @Override
    public void resume(WaiterId waiter, Outcome outcome) {
        thread(waiter.thread()).resume(outcome);
    }

    /** A thread has entered a call: holds of pages for this thread may end. */
    void onCallEntered() {
        timers.onCallEntered();
    }

    @Override
    public void count(NodeCounter counter, long amount) {
        counts[counter.code()] += amount;
    }

    @Override
    public void failRun(String reason) {
        simulation.failRun("node " + id + ": " + reason);
    }

    @Override
    public void raceFound(PageId page, int offset, String text, boolean isCertain) {
        simulation.raceFound(page, offset, text, isCertain);
    }
}
