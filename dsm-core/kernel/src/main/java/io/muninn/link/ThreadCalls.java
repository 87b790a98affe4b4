package io.muninn.link;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.NodeLostException;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import java.util.concurrent.TimeoutException;

/**
 * The calls of one application thread to its kernel.
 *
 * <p><b>Order.</b> The kernel steps the events of a thread in the order in which they were passed.
 *
 * <p><b>Threads.</b> The application thread.
 */
public interface ThreadCalls {
    /** The thread, as the waiter of its calls. */
    WaiterId id();

    /** Passes a call to the kernel and waits for its outcome. An interrupt stays pending. */
    Outcome await(Event.Waiting call);

    /**
     * As {@link #await}, but an interrupt cancels the call.
     *
     * @return the outcome, which is not {@link Outcome.Cancelled} if the interrupt arrived too
     *     late; the thread is still interrupted
     */
    Outcome awaitInterruptibly(Event.Waiting call);

    /** Passes an event to the kernel and continues. */
    void post(Event event);

    /** Posts the reply to a call of an object, then waits for the next call. */
    default Outcome await(Event.CallServed reply, Event.ServeCalled next) {
        post(reply);
        return await(next);
    }

    /**
     * Makes a call without a time limit.
     *
     * @throws NodeLostException if a node is lost
     * @throws RefusedException if the agent or the cluster refuses
     */
    default Outcome call(Event.Waiting call) {
        return checkUntimed(await(call));
    }

    /** As {@link #call}, for a call with a time limit. */
    default Outcome callTimed(Event.Waiting call) throws TimeoutException {
        return check(await(call));
    }

    /** Returns an outcome that is a result, and throws any other one. */
    static Outcome check(Outcome outcome) throws TimeoutException {
        return switch (outcome) {
            case Outcome.Done _, Outcome.Delivered _, Outcome.Cancelled _ -> outcome;
            case Outcome.Completed _ -> outcome;
            case Outcome.TimedOut(String missing) -> throw new TimeoutException(missing);
            case Outcome.Broken(String reason) -> throw new BarrierBrokenException(reason);
            case Outcome.Refused(String reason) -> throw new RefusedException(reason);
            case Outcome.Lost(int node, String reason) -> throw new NodeLostException(node, reason);
        };
    }

    /** As {@link #check}, for a call without a time limit. */
    static Outcome checkUntimed(Outcome outcome) {
        try {
            return check(outcome);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a call without limit timed out", impossible);
        }
    }
}
