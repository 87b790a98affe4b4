package io.muninn.sim;

import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.wire.WireMessage;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sees everything that happens in a simulation, as it happens. A checker is an observer that throws
 * {@link Violation}; every method does nothing by default.
 *
 * <p><b>Order.</b> Calls come in the order of virtual time, which is a total order of all loads,
 * stores and steps of all nodes: the witness order.
 */
public interface Observer {
    /** Called once, before anything happens. */
    default void onStart(Simulation simulation) {}

    /** A thread has loaded a value; of fewer than 8 bytes it is sign-extended. */
    default void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {}

    /** A thread has stored a value. */
    default void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {}

    /** The root's thread 0 has initialized; from now on all threads run. */
    default void onInitialized(SimThread root) {}

    /** A thread stops at a page; its agent hears of it a little later. */
    default void onFault(SimThread thread, PageId page, FaultKind kind) {}

    /** A thread that was woken to store to a page may no longer, and its agent hears it again. */
    default void onFaultAgain(SimThread thread, PageId page) {}

    default void onAcquired(SimThread thread, LockId lock) {}

    /** Called before any other thread can take the lock. */
    default void onRelease(SimThread thread, LockId lock) {}

    /**
     * A thread arrives at a barrier.
     *
     * @param parties how many threads it is for
     */
    default void onArrive(SimThread thread, BarrierId barrier, int parties) {}

    /** A barrier has fallen for a thread that arrived. */
    default void onDepart(SimThread thread, BarrierId barrier) {}

    /** A thread's wait at a barrier ended without its fall. */
    default void onBarrierLeft(SimThread thread, BarrierId barrier) {}

    /**
     * A thread sends a letter.
     *
     * @param serial names the letter
     */
    default void onSend(SimThread thread, long serial) {}

    default void onReceived(SimThread thread, long serial) {}

    /**
     * A thread calls a shipped object; its agent hears of it later, if the thread cannot run the
     * call itself.
     *
     * @param serial names the call; its request and its reply are this number
     * @param isMistaken whether it has to be refused
     */
    default void onCalled(SimThread caller, ObjectId object, long serial, boolean isMistaken) {}

    /** A thread of the serving node begins to run a call. */
    default void onCallBegun(SimThread server, ObjectId object, long serial) {}

    /** Called before any other thread can begin to run a call of the object. */
    default void onCallEnded(SimThread server, ObjectId object, long serial) {}

    /**
     * A caller, or the thread that completes the calls posted on its node, has the reply.
     *
     * @param isRefused whether the call was refused instead
     */
    default void onReplied(SimThread thread, long serial, boolean isRefused) {}

    /** A thread was started, or what it waited for has come: it goes on when it has a processor. */
    default void onReady(SimThread thread) {}

    /**
     * A thread has got a processor that ran another one before, and goes on after the switch.
     *
     * @param processor of its node, from 0
     */
    default void onSwitch(SimThread thread, int processor) {}

    /**
     * A ready thread goes on.
     *
     * @param processor of its node, from 0
     */
    default void onRun(SimThread thread, int processor) {}

    /** A thread has left its processor: it waits for something, or has ended. */
    default void onStand(SimThread thread) {}

    /** A thread has asked for pages in vain: the network was too busy. */
    default void onPrefetchDropped(SimThread thread, Event.PrefetchCalled call) {}

    /** A thread has ended, by itself or because a node was lost. */
    default void onEnded(SimThread thread) {}

    /**
     * An acceptor has judged an attempt to connect with it.
     *
     * @param attempt of this pair, from 1
     * @param isKept false if the attempt is refused, or closed for a later one; true until then
     */
    default void onAttempt(int dialler, int acceptor, int attempt, boolean isKept) {}

    /**
     * A page's or a twin's bytes leave a node.
     *
     * @param image valid during the call; empty for a page of zeros
     */
    default void onImage(SimNode from, PageId page, MemorySegment image) {}

    /**
     * A node sends another a message.
     *
     * @param bytes with the frame's length
     */
    default void onMessage(SimNode from, NodeId to, WireMessage message, int bytes) {}

    /**
     * Two nodes have stored to one element at the same time; in simulations that look for races.
     *
     * @param offset in the page, in bytes
     */
    default void onRace(PageId page, int offset, String text) {}

    /**
     * Within a step: every protocol has performed an acquire, and what has been acquired is about
     * to be handed on.
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

    /** An event is about to be stepped: one from outside, or the result of an effect. */
    default void beforeStep(SimNode node, Event event) {}

    /**
     * An event has been stepped: one from outside, or the result of an effect.
     *
     * @param effects of this step, without counts, not yet performed; valid during the call
     */
    default void onStepped(SimNode node, Event event, List<Effect> effects) {}

    /**
     * An event from outside was stepped, its effects are performed, and the results of effects
     * likewise.
     *
     * @param effects of all, in order
     */
    default void afterStep(SimNode node, Event event, List<Effect> effects) {}

    /** The program did what ends a run, and nothing more happens. */
    default void onFailure(Simulation simulation) {}

    /** Every thread has ended and no message is on its way. */
    default void onEnd(Simulation simulation) {}
}
