package io.muninn.sim;

import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.wire.WireMessage;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Observes all actions of a simulation as they happen. A checker is an observer that throws {@link
 * Violation}. Every method does nothing by default.
 *
 * <p><b>Order.</b> Calls come in the order of virtual time, which is a total order of all loads,
 * stores and steps of all nodes: the witness order.
 */
public interface Observer {
    /** Called once, before anything happens. */
    default void onStart(Simulation simulation) {}

    /** A thread has loaded a value, sign-extended if it has fewer than 8 bytes. */
    default void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {}

    /** A thread has stored a value. */
    default void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {}

    /** The root's thread 0 has initialized; from now on all threads run. */
    default void onInitialized(SimThread root) {}

    /** A thread faults on a page; its agent is notified a little later. */
    default void onFault(SimThread thread, PageId page, FaultKind kind) {}

    /**
     * A thread that was woken to store to a page has lost the access again; its agent is notified
     * again.
     */
    default void onFaultAgain(SimThread thread, PageId page) {}

    /**
     * A thread is about to make its process's first store to a page since the access of the process
     * was reduced: it may fault. Called by the Java thread that runs the program's code, if the
     * simulation runs a program of the API.
     */
    default void onFirstStore(SimThread thread, PageId page) {}

    /** A thread that was stopped at a page is about to be woken. */
    default void onPageWaited(
            SimThread thread, PageId page, boolean isStore, long beginNanos, long endNanos) {}

    /** A thread that has waited for the answer of a call is about to be woken. */
    default void onCallWaited(
            SimThread thread, Event.Waiting call, long beginNanos, long endNanos) {}

    default void onAcquired(SimThread thread, LockId lock) {}

    /** Called before any other thread can take the lock. */
    default void onRelease(SimThread thread, LockId lock) {}

    /** A thread reads under a reader-writer lock from now on, or writes. */
    default void onPermitted(SimThread thread, ReadWriteLockId lock, boolean toWrite) {}

    /**
     * A thread does not read under a reader-writer lock any more, or write. Called before any other
     * thread can write.
     */
    default void onPermissionEnded(SimThread thread, ReadWriteLockId lock, boolean toWrite) {}

    /**
     * A thread arrives at a barrier.
     *
     * @param parties number of threads for which the barrier waits
     */
    default void onArrive(SimThread thread, BarrierId barrier, int parties) {}

    /** A thread's wait at a barrier has ended, because all parties have arrived. */
    default void onDepart(SimThread thread, BarrierId barrier) {}

    /** A thread's wait at a barrier has ended before all parties have arrived. */
    default void onBarrierLeft(SimThread thread, BarrierId barrier) {}

    /**
     * A thread sends a letter.
     *
     * @param serial identifies the letter
     */
    default void onSend(SimThread thread, long serial) {}

    default void onReceived(SimThread thread, long serial) {}

    /** A thread is about to access remote words of a home, directly or by a call. */
    default void onRemoteCalled(SimThread thread, NodeId home, Bytes operations) {}

    /** Operations on remote words have just been performed, by the home's agent or a thread. */
    default void onRemotePerformed(SimNode home, Bytes operations, Bytes answer) {}

    /** A thread has the answer of its last access to remote words; not called for posts. */
    default void onRemoteAnswered(SimThread thread, Bytes answer) {}

    /** A thread's fence of remote operations has ended. */
    default void onRemoteFence(SimThread thread) {}

    /** A thread's wait until a remote word has at least a value has ended, and not by its limit. */
    default void onRemoteAwaited(SimThread thread, NodeId home, long offset, long least) {}

    /**
     * A thread calls a shipped object; its agent is notified later, if the thread cannot run the
     * call itself.
     *
     * @param serial identifies the call; the content of its request and of its reply
     * @param isMistaken whether the call has to be refused
     */
    default void onCalled(SimThread caller, ObjectId object, long serial, boolean isMistaken) {}

    /** A thread of the serving node begins to run a call. */
    default void onCallBegun(SimThread server, ObjectId object, long serial) {}

    /** Called before any other thread can begin to run a call of the object. */
    default void onCallEnded(SimThread server, ObjectId object, long serial) {}

    /**
     * A caller has received the reply, or the thread that completes the calls posted on its node
     * has.
     *
     * @param isRefused whether the call was refused instead
     */
    default void onReplied(SimThread thread, long serial, boolean isRefused) {}

    /** A thread was started, or its wait has ended: it continues when it has a processor. */
    default void onReady(SimThread thread) {}

    /**
     * A thread was given a processor that ran another one before, and continues after the switch.
     *
     * @param processor index in its node, from 0
     */
    default void onSwitch(SimThread thread, int processor) {}

    /**
     * A ready thread continues.
     *
     * @param processor index in its node, from 0
     */
    default void onRun(SimThread thread, int processor) {}

    /** A thread has left its processor, because it waits or has ended. */
    default void onStand(SimThread thread) {}

    /** A thread's prefetch was dropped, because the network was too busy. */
    default void onPrefetchDropped(SimThread thread, Event.PrefetchCalled call) {}

    /** A thread has ended, by itself or because a node was lost. */
    default void onEnded(SimThread thread) {}

    /**
     * An acceptor has decided on an attempt to connect with it.
     *
     * @param attempt of this pair, from 1
     * @param isKept false if the attempt is refused, or is closed later in favour of another one
     */
    default void onAttempt(int dialler, int acceptor, int attempt, boolean isKept) {}

    /**
     * A node sends the bytes of a page or of a twin.
     *
     * @param image valid during the call; empty for a page of zeros
     */
    default void onImage(SimNode from, PageId page, MemorySegment image) {}

    /**
     * A node sends a message to another node.
     *
     * @param bytes size of the message, with its frame's header
     */
    default void onMessage(SimNode from, NodeId to, WireMessage message, int bytes) {}

    /** A node has done something to a page in memory that all nodes address. */
    default void onPool(SimNode node, PageId page, SimPool.Use use) {}

    /**
     * Two nodes have stored to one element concurrently, or one has loaded it and the other stored
     * to it; called if the simulation checks races.
     *
     * @param offset in the page, in bytes
     */
    default void onRace(PageId page, int offset, String text, boolean isCertain) {}

    /**
     * Within a step: every protocol has performed an acquire, and its result is about to be passed
     * on.
     */
    default void onAcquirePerformed(SimNode node, GatedAcquire acquire) {}

    /** Within a step: every protocol has performed a release, whose message is about to be sent. */
    default void onReleasePerformed(SimNode node, GatedRelease release) {}

    /** Within a step: the node is about to handle a message that it has sent itself. */
    default void onOwnMessage(SimNode node, WireMessage message) {}

    /**
     * Within a step: a page meets a release, a notice or the sealing, and the protocol is about to
     * act on it.
     *
     * @param event as in the state × event table of the page's protocol
     */
    default void onPageEvent(SimNode node, PageId page, String event) {}

    /** An event from outside, or the result of an effect, is about to be stepped. */
    default void beforeStep(SimNode node, Event event) {}

    /**
     * An event from outside, or the result of an effect, has been stepped.
     *
     * @param effects of this step, without counts, not yet performed; valid during the call
     */
    default void onStepped(SimNode node, Event event, List<Effect> effects) {}

    /**
     * An event from outside and all results of effects have been stepped, and all effects
     * performed.
     *
     * @param effects all these effects, in order
     */
    default void afterStep(SimNode node, Event event, List<Effect> effects) {}

    /** The program has failed, which ends the run. */
    default void onFailure(Simulation simulation) {}

    /** Every thread has ended and no message is in transit. */
    default void onEnd(Simulation simulation) {}
}
