package io.muninn.sim.delay;

/**
 * How long things take in one run, in nanoseconds. What is asked twice may get two answers: that is
 * where a seed makes orders differ.
 */
public interface Delays {
    /** The longest run of pages that an agent withdraws by itself, of one machine page each. */
    int AT_ONCE_PAGES_MAX = 16;

    /** From a send to the arrival, on an empty link. */
    long message(int from, int to, int bytes);

    /** How long a link is busy with a message. */
    long transfer(int bytes);

    /** An agent's work for one event. */
    long step(int node);

    /** An agent's work on so many bytes of pages. */
    long pageBytes(int bytes);

    /** From a thread's stop at a page to its agent's event. */
    long trap();

    /** From a resume to the thread's next instruction. */
    long wake();

    /** From an application's call to its agent's event, and from the answer to the thread. */
    long call();

    /** How late a timer fires. */
    long timer();

    /** How long a withdrawal of access takes that is not done at once. */
    long withdrawal();

    /** Whether access to a run of so many pages is withdrawn within the step. */
    default boolean withdrawsAtOnce(int pages) {
        return pages <= AT_ONCE_PAGES_MAX;
    }

    /** Between two operations of a scripted thread. */
    long operation();

    /** From a node's death to the moment at which another hears of it. */
    long loss();

    /**
     * A node's work to send a message, before the message is on its way; nothing if that is part of
     * a step.
     */
    default long send(int bytes) {
        return 0;
    }

    /** A node's work to take a message in, besides the step; nothing if that is part of it. */
    default long receive(int bytes) {
        return 0;
    }

    /** True if one wire carries all messages, one at a time; false if every link is a wire. */
    default boolean isWireShared() {
        return false;
    }

    /**
     * True if all that a node sends goes through one wire to the switch, one message at a time, and
     * all that it receives through another; false if every link is a wire.
     */
    default boolean arePortsShared() {
        return false;
    }

    /**
     * True if agent and application thread of a node share one processor, the agent going first:
     * its work delays the thread, and what a step sends or resumes has to wait for the work of the
     * effects before. Meant for nodes of one processor: of several, all stop. False if each has its
     * own, and effects happen when their step does.
     */
    default boolean isProcessorShared() {
        return false;
    }

    /**
     * True if a store of this node's threads to a page that they may load from is resolved by the
     * thread's own trap, where a trap can: it makes the twin, and its agent hears of it. False if
     * every such store waits for the agent.
     */
    default boolean trapsMakeTwins(int node) {
        return false;
    }

    /** True if a fault says which thread has stopped, so that the hold of a page can end early. */
    default boolean namesThreads() {
        return true;
    }

    /**
     * True if no release and no acquire takes a page from a thread that is being woken there; they
     * never do while it waits for a processor.
     */
    default boolean keepsPagesOfWaking() {
        return true;
    }

    /** True if a thread is in the midst of such a trap at this moment: after the twin. */
    default boolean isInTrap() {
        return false;
    }

    /**
     * True if the threads of this node that are between two operations go on by one, in the midst
     * of a step of their agent: just before it reclaims a lock from them, or withdraws access.
     * Asked again after that.
     */
    default boolean goesOnInStep(int node) {
        return false;
    }

    /** Work stations of one processor each, on one wire, the same in every run. */
    static Delays stations(MachineModel model, SharedWire wire) {
        return new StationDelays(model, wire, StationDelays.Wiring.ONE);
    }

    /** The same behind a switch: each link is a wire like this one. */
    static Delays switched(MachineModel model, SharedWire wire) {
        return new StationDelays(model, wire, StationDelays.Wiring.LINKS);
    }

    /** The same behind a switch to which each node has two such wires, one in each direction. */
    static Delays ports(MachineModel model, SharedWire wire) {
        return new StationDelays(model, wire, StationDelays.Wiring.PORTS);
    }

    /** Everything as the model says, the same in every run. */
    static Delays exact(MachineModel model) {
        return new ExactDelays(model, false);
    }

    /** The same, but that agent and threads of a node {@linkplain #isProcessorShared share}. */
    static Delays shared(MachineModel model) {
        return new ExactDelays(model, true);
    }
}
