package io.muninn.sim.app;

import io.muninn.api.service.ObjectLink;
import io.muninn.api.shipping.Declaration;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Shipped objects: sends the simulated kernels the events of the live client, in the same order.
 */
record SimObjects(SimLink link) implements ObjectLink {
    @Override
    public void declare(Declaration object, Runnable startServer) {
        link.current()
                .postAtOnce(
                        new Event.ObjectDeclared(
                                object.object(),
                                NodeId.of(object.node()),
                                object.fingerprint(),
                                object.text()));
        if (object.node() == link.shape().node()) {
            startServer.run();
        }
    }

    @Override
    public void startOwnThread(String name, Runnable body) {
        link.startOwn(body);
    }

    @Override
    public Reply ship(Declaration object, byte[] request) {
        AppThread self = link.current();
        Event call =
                new Event.ShipCalled(
                        self.simThread().id(),
                        object.object(),
                        NodeId.of(object.node()),
                        object.fingerprint(),
                        new Bytes(request));
        return reply(self.call(call, NodeCounter.CALL_NANOS, true));
    }

    @Override
    public void post(long number, Declaration object, byte[] request) {
        AppThread self = link.current();
        Event call =
                new Event.PostCalled(
                        self.simThread().id(),
                        number,
                        object.object(),
                        NodeId.of(object.node()),
                        object.fingerprint(),
                        new Bytes(request));
        self.call(call, NodeCounter.CALL_NANOS, true);
    }

    @Override
    public Completion awaitCompletion() {
        AppThread self = link.current();
        Event awaited = new Event.ReplyAwaited(self.simThread().id());
        Outcome next = self.call(awaited, NodeCounter.CALL_NANOS, false);
        if (!(next instanceof Outcome.Completed(long number, Outcome how))) {
            throw new IllegalStateException("a completer was answered by " + next);
        }
        return new Completion(number, reply(how));
    }

    @Override
    public byte[] serve(ObjectId object, Optional<byte[]> reply) {
        AppThread self = link.current();
        reply.ifPresent(body -> self.post(new Event.CallServed(object, new Bytes(body))));
        WaiterId id = self.simThread().id();
        return reply(self.call(new Event.ServeCalled(id, object), NodeCounter.CALL_NANOS, false))
                .body();
    }

    private static Reply reply(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Refused(String theirs) -> Reply.refused(theirs);
            case Outcome.Delivered(int _, Bytes body) -> Reply.of(body.array());
            default -> throw new IllegalStateException("a shipped call was answered by " + outcome);
        };
    }

    @Override
    public <T> CompletableFuture<T> newFuture() {
        return new SimFuture<>(link);
    }
}
