package io.muninn.verify.check;

import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import java.util.List;

/**
 * A wait with a time limit has a timer of that length while it lasts. A wait without a limit, and a
 * thread that has been answered, have none. A thread receives a time-out if, and only if, its time
 * is over, and is notified that a barrier broke without it only if its time is not over.
 *
 * <p>Nothing is checked on a node that was notified of a loss.
 */
final class WaitTimers implements Checker {
    static final String NAME = "wait timers";

    private static final long NOT_WAITING = Long.MIN_VALUE;

    /** The state of a thread's wait. */
    private static final class Wait {
        long limitNanos = NOT_WAITING; // negative for no limit
        boolean isAtManager; // the manager ends its time
        boolean isArmed;
        boolean isOver; // its timer has fired
    }

    private Wait[][] waits = {}; // by node and thread
    private boolean[] isRunOver = {}; // by node

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        Simulation.Cluster cluster = simulation.cluster();
        isRunOver = new boolean[cluster.nodes()];
        waits = new Wait[cluster.nodes()][cluster.threads() + cluster.ownThreads()];
        for (Wait[] ofNode : waits) {
            for (int i = 0; i < ofNode.length; i++) {
                ofNode[i] = new Wait();
            }
        }
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        Wait[] of = waits[node.id().index()];
        switch (event) {
            case Event.AcquireCalled(WaiterId waiter, var _, long nanos) ->
                    begin(of, waiter, nanos, false);
            case Event.ReceiveCalled(WaiterId waiter, int _, int _, long nanos) ->
                    begin(of, waiter, nanos, false);
            case Event.PermissionCalled(WaiterId waiter, var _, boolean _, long nanos) ->
                    begin(of, waiter, nanos, true);
            case Event.RemoteAwaited(WaiterId waiter, var _, var _, long nanos) ->
                    begin(of, waiter, nanos, false);
            case Event.BarrierReached(WaiterId waiter, var _, int _, long nanos, var _) ->
                    begin(of, waiter, nanos, true);
            case Event.SignalAwaited(WaiterId waiter, var _, long nanos) ->
                    begin(of, waiter, nanos, true);
            case Event.SignalAwaitCancelled(WaiterId waiter) -> cancel(of, waiter);
            case Event.TimerFired(TimerId.WaitOver(WaiterId waiter), long _) -> {
                if (knows(of, waiter)) {
                    of[waiter.thread()].isArmed = false;
                    of[waiter.thread()].isOver = true;
                }
            }
            case Event.PeerLost _ -> isRunOver[node.id().index()] = true;
            default -> {} // does not begin or end such a wait
        }
    }

    private static boolean knows(Wait[] of, WaiterId waiter) {
        return waiter.thread() < of.length;
    }

    private static void begin(Wait[] of, WaiterId waiter, long nanos, boolean isAtManager) {
        if (knows(of, waiter)) {
            Wait wait = of[waiter.thread()];
            wait.limitNanos = nanos;
            wait.isAtManager = isAtManager;
            wait.isOver = false;
        }
    }

    /** Cancels the timer of an interrupted wait for a signal; the wait itself continues. */
    private static void cancel(Wait[] of, WaiterId waiter) {
        if (knows(of, waiter) && of[waiter.thread()].limitNanos != NOT_WAITING) {
            of[waiter.thread()].limitNanos = -1;
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        int at = node.id().index();
        if (isRunOver[at]) {
            return;
        }
        boolean isAbout = event instanceof Event.TimerFired;
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ArmTimer(TimerId.WaitOver(WaiterId waiter), long nanos)
                        when knows(waits[at], waiter) ->
                        arm(node, waiter, nanos);
                case Effect.CancelTimer(TimerId.WaitOver(WaiterId waiter))
                        when knows(waits[at], waiter) ->
                        waits[at][waiter.thread()].isArmed = false;
                case Effect.ResumeWaiter(WaiterId waiter, Outcome outcome)
                        when knows(waits[at], waiter) ->
                        answer(node, waiter, outcome);
                default -> {
                    continue;
                }
            }
            isAbout = true;
        }
        if (isAbout || isCall(event)) {
            check(node);
        }
    }

    private static boolean isCall(Event event) {
        return event instanceof Event.AcquireCalled
                || event instanceof Event.ReceiveCalled
                || event instanceof Event.BarrierReached
                || event instanceof Event.SignalAwaited
                || event instanceof Event.SignalAwaitCancelled;
    }

    private void arm(SimNode node, WaiterId waiter, long nanos) {
        Wait wait = waits[node.id().index()][waiter.thread()];
        if (wait.limitNanos != nanos) {
            throw violation(
                    node.thread(waiter.thread())
                            + " waits "
                            + limit(wait)
                            + ", and its timer is for "
                            + nanos
                            + " ns");
        }
        wait.isArmed = true;
    }

    private void answer(SimNode node, WaiterId waiter, Outcome outcome) {
        Wait wait = waits[node.id().index()][waiter.thread()];
        boolean isWrong =
                switch (outcome) {
                    case Outcome.TimedOut _ -> !wait.isOver;
                    case Outcome.Broken _ -> wait.isOver;
                    default -> false;
                };
        if (isWrong && wait.limitNanos != NOT_WAITING) {
            throw violation(
                    node.thread(waiter.thread())
                            + " is told "
                            + outcome
                            + ", and its time was "
                            + (wait.isOver ? "" : "not ")
                            + "over");
        }
        wait.limitNanos = NOT_WAITING;
        wait.isOver = false;
    }

    private void check(SimNode node) {
        Wait[] of = waits[node.id().index()];
        for (int i = 0; i < of.length; i++) {
            Wait wait = of[i];
            boolean isTimed =
                    wait.limitNanos >= 0 && !node.view().letters().isAcquiring(node.thread(i).id());
            if (isTimed && wait.isOver ? !wait.isAtManager : isTimed != wait.isArmed) {
                throw violation(
                        node.thread(i)
                                + " waits "
                                + limit(wait)
                                + (wait.isOver ? ", which is over" : "")
                                + ", and has "
                                + (wait.isArmed ? "a" : "no")
                                + " timer");
            }
        }
    }

    private static String limit(Wait wait) {
        if (wait.limitNanos == NOT_WAITING) {
            return "for nothing";
        }
        return wait.limitNanos < 0 ? "for ever" : "for " + wait.limitNanos + " ns";
    }
}
