package io.muninn.link;

import io.muninn.api.remote.WordCondition;
import io.muninn.api.service.RemoteLink;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Turns the requests of remote variables into events. */
public abstract class EventRemotes implements RemoteLink {
    private final Supplier<? extends ThreadCalls> calls;

    /**
     * @param calls returns the calls of the calling thread; throws if it is no application thread
     */
    protected EventRemotes(Supplier<? extends ThreadCalls> calls) {
        this.calls = calls;
    }

    @Override
    public byte[] call(int home, byte[] operations) {
        ThreadCalls mine = calls.get();
        Outcome outcome =
                mine.call(
                        new Event.RemoteCalled(mine.id(), NodeId.of(home), new Bytes(operations)));
        if (outcome instanceof Outcome.Delivered(int _, Bytes answer)) {
            return answer.array();
        }
        throw new IllegalStateException("remote operations were answered by " + outcome);
    }

    @Override
    public void post(int home, byte[] operations) {
        begin(Event.NO_ANSWER, home, operations);
    }

    @Override
    public void begin(long number, int home, byte[] operations) {
        ThreadCalls mine = calls.get();
        mine.call(
                new Event.RemotePosted(mine.id(), number, NodeId.of(home), new Bytes(operations)));
    }

    @Override
    public void fence() {
        ThreadCalls mine = calls.get();
        mine.call(new Event.FenceCalled(mine.id()));
    }

    @Override
    public void await(int home, WordCondition condition, long limitNanos) throws TimeoutException {
        ThreadCalls mine = calls.get();
        mine.callTimed(new Event.RemoteAwaited(mine.id(), NodeId.of(home), condition, limitNanos));
    }
}
