package io.muninn.link;

import io.muninn.api.Message;
import io.muninn.api.service.MessageLink;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Turns the requests of messages into events. */
public class EventMessages implements MessageLink {
    private final Supplier<? extends ThreadCalls> calls;

    /**
     * @param calls returns the calls of the calling thread; throws if it is no application thread
     */
    public EventMessages(Supplier<? extends ThreadCalls> calls) {
        this.calls = calls;
    }

    @Override
    public void send(int node, int tag, MemorySegment body) {
        ThreadCalls mine = calls.get();
        Bytes copy = new Bytes(body.toArray(ValueLayout.JAVA_BYTE));
        mine.call(new Event.SendCalled(mine.id(), NodeId.of(node), tag, copy));
    }

    @Override
    public Message receive(int node, int tag, long limitNanos) throws TimeoutException {
        ThreadCalls mine = calls.get();
        Outcome outcome = mine.callTimed(new Event.ReceiveCalled(mine.id(), node, tag, limitNanos));
        if (!(outcome instanceof Outcome.Delivered(int from, Bytes body))) {
            throw new IllegalStateException("a receive was answered by " + outcome);
        }
        return new Message(from, tag, MemorySegment.ofArray(body.array()).asReadOnly());
    }
}
