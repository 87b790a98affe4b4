package io.muninn.link;

import io.muninn.api.service.ObjectLink;
import io.muninn.api.shipping.Declaration;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.util.Optional;
import java.util.function.Supplier;

/** Turns the requests of shipped objects into events. */
public abstract class EventObjects implements ObjectLink {
    private final int node;
    private final Supplier<? extends ThreadCalls> calls;

    /**
     * @param node of this process
     * @param calls returns the calls of the calling thread; throws if it is no application thread
     */
    protected EventObjects(int node, Supplier<? extends ThreadCalls> calls) {
        this.node = node;
        this.calls = calls;
    }

    @Override
    public void declare(Declaration object, Runnable startServer) {
        calls.get()
                .post(
                        new Event.ObjectDeclared(
                                object.object(),
                                NodeId.of(object.node()),
                                object.fingerprint(),
                                object.text()));
        if (object.node() == node) {
            startServer.run();
        }
    }

    @Override
    public Reply ship(Declaration object, byte[] request) {
        ThreadCalls mine = calls.get();
        Event.Waiting call =
                new Event.ShipCalled(
                        mine.id(),
                        object.object(),
                        NodeId.of(object.node()),
                        object.fingerprint(),
                        new Bytes(request));
        return reply(mine.await(call));
    }

    @Override
    public void post(long number, Declaration object, byte[] request) {
        ThreadCalls mine = calls.get();
        mine.call(
                new Event.PostCalled(
                        mine.id(),
                        number,
                        object.object(),
                        NodeId.of(object.node()),
                        object.fingerprint(),
                        new Bytes(request)));
    }

    @Override
    public Completion awaitCompletion() {
        ThreadCalls mine = calls.get();
        Outcome next = mine.call(new Event.ReplyAwaited(mine.id()));
        if (!(next instanceof Outcome.Completed(long number, Outcome how))) {
            throw new IllegalStateException("a completer was answered by " + next);
        }
        return new Completion(number, reply(how));
    }

    @Override
    public byte[] serve(ObjectId object, Optional<byte[]> reply) {
        ThreadCalls mine = calls.get();
        Event.ServeCalled next = new Event.ServeCalled(mine.id(), object);
        Outcome outcome =
                reply.isPresent()
                        ? mine.await(new Event.CallServed(object, new Bytes(reply.get())), next)
                        : mine.await(next);
        return reply(ThreadCalls.checkUntimed(outcome)).body();
    }

    private static Reply reply(Outcome outcome) {
        if (outcome instanceof Outcome.Refused(String theirs)) {
            return Reply.refused(theirs);
        }
        if (ThreadCalls.checkUntimed(outcome) instanceof Outcome.Delivered(int _, Bytes body)) {
            return Reply.of(body.array());
        }
        throw new IllegalStateException("a shipped call was answered by " + outcome);
    }
}
