package io.muninn.sim.delay;

import io.muninn.sim.machine.Clock;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.machine.SmpModel;
import java.util.Optional;

/**
 * The delays of one run, in nanoseconds. Two calls of a method may return different delays, by
 * which a seed changes the order of actions.
 */
public interface Delays {
    /** The longest run of pages, of one machine page each, that an agent withdraws itself. */
    int AT_ONCE_PAGES_MAX = 16;

    /** Delay from a send to the arrival, on an empty link. */
    long message(int from, int to, int bytes);

    /** How long a link is busy with a message. */
    long transfer(int bytes);

    /** An agent's work for one event. */
    long step(int node);

    /** An agent's work on this many bytes of pages. */
    long pageBytes(int bytes);

    /** Delay from a thread's fault to its agent's event. */
    long trap();

    /** Delay from a resume to the thread's next instruction. */
    long wake();

    /** Delay from an application's call to its agent's event, and from the answer to the thread. */
    long call();

    /** How late a timer fires. */
    long timer();

    /** How long a withdrawal of access takes if it is not done within the step. */
    long withdrawal();

    /** Whether access to a run of this many pages is withdrawn within the step. */
    default boolean withdrawsAtOnce(int pages) {
        return pages <= AT_ONCE_PAGES_MAX;
    }

    /** Delay between two operations of a scripted thread. */
    long operation();

    /** Delay from a node's death until another node is notified. */
    long loss();

    /** A node's work to send a message, before the transfer; 0 if it is part of a step. */
    default long send(int bytes) {
        return 0;
    }

    /** A node's work to receive a message, in addition to the step; 0 if it is part of the step. */
    default long receive(int bytes) {
        return 0;
    }

    /**
     * How long a message occupies the network interface of its sender, and then that of its
     * receiver; 0 if interfaces delay no message.
     */
    default long occupancy(int bytes) {
        return 0;
    }

    /** True if one wire carries all messages, one at a time; false if every link is a wire. */
    default boolean isWireShared() {
        return false;
    }

    /**
     * True if each node has one wire to the switch for all messages that it sends, one at a time,
     * and another one for all that it receives; false if every link is a wire.
     */
    default boolean arePortsShared() {
        return false;
    }

    /**
     * True if agent and application threads of a node share one processor, the agent first: its
     * work delays the threads, and a send or a resume waits for the work of earlier effects of its
     * step. Meant for nodes of one processor; several would all stop for the agent. False if the
     * agent has its own, and effects are performed at the time of their step.
     */
    default boolean isProcessorShared() {
        return false;
    }

    /**
     * True if a store of this node's threads to a readable page is resolved by the thread's own
     * trap, if possible: the trap makes the twin and notifies the agent. False if every such store
     * waits for the agent.
     */
    default boolean trapsMakeTwins(int node) {
        return false;
    }

    /** True if a fault names its thread, so that the hold of a page can end early. */
    default boolean namesThreads() {
        return true;
    }

    /**
     * True if no release and no acquire withdraws a page from a thread that is being woken for it;
     * they never do while the thread waits for a processor.
     */
    default boolean keepsPagesOfWaking() {
        return true;
    }

    /** True if a thread is within a trap at this moment, after it has made the twin. */
    default boolean isInTrap() {
        return false;
    }

    /**
     * True if a trap that enters a page copies its frame after the time of a {@link #trap}, and not
     * at once.
     */
    default boolean isEntryLong() {
        return false;
    }

    /**
     * True if each thread of this node that is between two operations performs the next one within
     * a step of the agent, just before it reclaims a lock or withdraws access. Called again after
     * these operations.
     */
    default boolean goesOnInStep(int node) {
        return false;
    }

    /**
     * The hardware of nodes with several processors, made anew for a run: it carries the messages,
     * and its processors run the agents' handlers. Empty without a model of it.
     *
     * @param processors of each node that run a thread
     */
    default Optional<SmpMachine> machine(int nodes, int processors, Clock clock) {
        return Optional.empty();
    }

    /**
     * Delays of nodes with several processors; equal in every run with this seed.
     *
     * @param policy where requests of other nodes are handled
     * @param updates whether stores to home-based pages with another home leave as automatic
     *     updates
     */
    static Delays smp(SmpModel model, HandlerPolicy policy, boolean updates, long seed) {
        return new SmpDelays(model, policy, updates, seed);
    }

    /** Delays of workstations with one processor each, on one wire; equal in every run. */
    static Delays stations(MachineModel model, SharedWire wire) {
        return new StationDelays(model, wire, StationDelays.Wiring.ONE);
    }

    /** Delays of such workstations behind a switch: each link is a wire like this one. */
    static Delays switched(MachineModel model, SharedWire wire) {
        return new StationDelays(model, wire, StationDelays.Wiring.LINKS);
    }

    /**
     * Delays of such workstations behind a switch to which each node has two such wires, one in
     * each direction.
     */
    static Delays ports(MachineModel model, SharedWire wire) {
        return new StationDelays(model, wire, StationDelays.Wiring.PORTS);
    }

    /** Delays exactly as in the model; equal in every run. */
    static Delays exact(MachineModel model) {
        return new ExactDelays(model, false);
    }

    /**
     * Delays exactly as in the model; agent and threads of a node {@linkplain #isProcessorShared
     * share a processor}.
     */
    static Delays shared(MachineModel model) {
        return new ExactDelays(model, true);
    }
}
