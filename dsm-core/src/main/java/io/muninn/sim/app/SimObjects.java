package io.muninn.sim.app;

import io.muninn.api.NodeLostException;
import io.muninn.api.shipping.Declaration;
import io.muninn.api.shipping.PostedCall;
import io.muninn.api.shipping.Route;
import io.muninn.api.shipping.ServedObject;
import io.muninn.model.NodeId;
import io.muninn.protocol.Bytes;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Event;
import io.muninn.protocol.Outcome;
import io.muninn.protocol.WaiterId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Shipped objects through the kernels: what the live client asks of its agent, in the same order.
 * Each object that the node serves has a thread; one more completes the node's posted calls.
 */
final class SimObjects implements Route {
    private record Posted(Declaration object, PostedCall call) {}

    private final SimSession session;
    private final Map<Long, Posted> posted = new LinkedHashMap<>(); // not completed, by number
    private Optional<NodeLostException> ended = Optional.empty();
    private boolean hasCompleter;
    private long posts;

    SimObjects(SimSession session) {
        this.session = session;
    }

    @Override
    public List<String> heldLocks() {
        return session.locks().held();
    }

    @Override
    public void declare(Declaration object, ServedObject served) {
        session.current()
                .post(
                        new Event.ObjectDeclared(
                                object.object(),
                                NodeId.of(object.node()),
                                object.fingerprint(),
                                object.text()));
        if (object.node() == session.nodeId()) {
            session.startOwn(() -> serve(object, served));
        }
    }

    private void serve(Declaration object, ServedObject served) {
        AppThread self = session.current();
        try {
            while (true) {
                Event next = new Event.ServeCalled(self.simThread().id(), object.object());
                byte[] request = body(self.call(next, Counter.CALL_NANOS, false));
                takeTurn(object);
                byte[] reply;
                try {
                    reply = served.serve(request);
                } finally {
                    endTurn(object);
                }
                self.post(new Event.CallServed(object.object(), new Bytes(reply)));
            }
        } catch (NodeLostException over) {
            // nobody calls any more, and every caller is told
        }
    }

    @Override
    public boolean isDirect(Declaration object) {
        return object.node() == session.nodeId()
                && posted.values().stream().noneMatch(each -> each.object().equals(object));
    }

    @Override
    public void takeTurn(Declaration object) {
        session.locks().lock(object.object().turn().name()).lock();
    }

    @Override
    public void endTurn(Declaration object) {
        session.locks().lock(object.object().turn().name()).unlock();
    }

    @Override
    public byte[] call(Declaration object, byte[] request) {
        session.checkMayCall(object);
        AppThread self = session.current();
        Event call =
                new Event.ShipCalled(
                        self.simThread().id(),
                        object.object(),
                        NodeId.of(object.node()),
                        object.fingerprint(),
                        new Bytes(request));
        Outcome outcome = self.call(call, Counter.CALL_NANOS, true);
        if (outcome instanceof Outcome.Refused(String theirs)) {
            throw object.differs(session.nodeId(), theirs);
        }
        return body(outcome);
    }

    @Override
    public void post(Declaration object, byte[] request, PostedCall call) {
        session.checkMayCall(object);
        if (!hasCompleter) {
            hasCompleter = true;
            session.startOwn(this::complete);
        }
        AppThread self = session.current();
        long number = posts++;
        posted.put(number, new Posted(object, call));
        Event event =
                new Event.PostCalled(
                        self.simThread().id(),
                        number,
                        object.object(),
                        NodeId.of(object.node()),
                        object.fingerprint(),
                        new Bytes(request));
        try {
            self.call(event, Counter.CALL_NANOS, true);
            if (ended.isPresent()) {
                throw ended.get(); // the completer has ended before this call was there
            }
        } catch (NodeLostException lost) {
            if (posted.remove(number) != null) {
                call.failed(lost);
            }
        }
    }

    @Override
    public <T> CompletableFuture<T> newFuture() {
        return new SimFuture<>(session);
    }

    private void complete() {
        AppThread self = session.current();
        WaiterId id = self.simThread().id();
        try {
            while (true) {
                Outcome next = self.call(new Event.ReplyAwaited(id), Counter.CALL_NANOS, false);
                if (!(next instanceof Outcome.Completed(long number, Outcome how))) {
                    throw new IllegalStateException("a completer was answered by " + next);
                }
                Posted done = posted.remove(number);
                if (done == null) {
                    throw new IllegalStateException("call " + number + " was not posted");
                }
                if (how instanceof Outcome.Refused(String theirs)) {
                    done.call().failed(done.object().differs(session.nodeId(), theirs));
                } else {
                    done.call().replied(body(how));
                }
            }
        } catch (NodeLostException over) {
            ended = Optional.of(over);
            List<Posted> left = List.copyOf(posted.values());
            posted.clear();
            left.forEach(each -> each.call().failed(over));
        }
    }

    private static byte[] body(Outcome outcome) {
        if (!(outcome instanceof Outcome.Delivered(int _, Bytes body))) {
            throw new IllegalStateException("a shipped call was answered by " + outcome);
        }
        return body.array();
    }
}
