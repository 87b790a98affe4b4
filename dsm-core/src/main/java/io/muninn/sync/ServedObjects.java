package io.muninn.sync;

import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.protocol.Cargo;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effects;
import io.muninn.protocol.Event;
import io.muninn.protocol.Leaving;
import io.muninn.protocol.Outcome;
import io.muninn.protocol.ProtocolViolation;
import io.muninn.protocol.WaiterId;
import io.muninn.sync.SyncMessage.ShippedCall;
import io.muninn.sync.SyncMessage.ShippedRefusal;
import io.muninn.sync.SyncMessage.ShippedReply;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Shipped objects on the node that serves them: one call at a time, in the order in which calls get
 * here. A call of another node, and a posted one of this node, is run by the object's own thread,
 * the server; any other thread of this node runs its call itself when it gets the turn.
 *
 * <p>What a call brings along is acquired when it arrives; before its reply leaves everything dirty
 * is flushed. The next call starts meanwhile.
 *
 * <p>Source: Munin §8, function shipping of the task queues of TSP-F and QSORT. Departure: part of
 * the system, with release consistency on both ways.
 *
 * <pre>
 *            ObjectDeclared   TurnCalled     ShippedCall
 * Undeclared next (1)         wait           wait
 * Elsewhere  impossible       impossible     refuse
 * Idle       impossible       lend, →Lent    serve (2)
 * Due        impossible       wait           wait
 * Lent       impossible       wait           wait
 * Serving    impossible       wait           wait
 *
 *            ServeCalled      TurnEnded      CallServed
 * Undeclared keep the server  impossible     impossible
 * Elsewhere  impossible       impossible     impossible
 * Idle       keep the server  impossible     impossible
 * Due        serve, →Serving  impossible     impossible
 * Lent       keep the server  next (1)       impossible
 * Serving    impossible       impossible     reply, next (1)
 *
 * (1) of those that wait: a thread of this node gets the turn, →Lent; a call is served (2); nobody:
 *     →Idle. An object declared as another node's: refuse all, →Elsewhere
 * (2) →Serving if the server has asked for it, else →Due. A call that means another interface or
 *     node is refused in any state but Undeclared, and there when the object is declared
 * </pre>
 */
public final class ServedObjects {
    enum State {
        UNDECLARED("Undeclared"),
        ELSEWHERE("Elsewhere"),
        IDLE("Idle"),
        DUE("Due"),
        LENT("Lent"),
        SERVING("Serving");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    /** Who wants to call. */
    private sealed interface Caller {
        record Local(WaiterId waiter) implements Caller {}

        record Shipped(NodeId from, ShippedCall call) implements Caller {}
    }

    private static final class Served {
        final ObjectId id;
        State state = State.UNDECLARED;
        long fingerprint;
        String text = "";
        Optional<WaiterId> server = Optional.empty(); // while it waits for a call
        final ArrayDeque<Caller> callers = new ArrayDeque<>(); // the first is the one that runs

        Served(ObjectId id) {
            this.id = id;
        }

        ProtocolViolation violation(Object event) {
            return new ProtocolViolation("object=" + id + " state=" + state + " event=" + event);
        }
    }

    private final NodeId self;
    private final Releases releases;
    private final CargoHold cargo;
    private final Map<ObjectId, Served> objects = new TreeMap<>();

    public ServedObjects(NodeId self, Releases releases, CargoHold cargo) {
        this.self = self;
        this.releases = releases;
        this.cargo = cargo;
    }

    /** The name of an object's state in the table. */
    public String stateOf(ObjectId object) {
        Served known = objects.get(object);
        return (known == null ? State.UNDECLARED : known.state).word;
    }

    private Served object(ObjectId id) {
        return objects.computeIfAbsent(id, Served::new);
    }

    public void onObjectDeclared(Event.ObjectDeclared declared, Effects out) {
        Served object = object(declared.object());
        if (object.state != State.UNDECLARED) {
            throw object.violation(declared);
        }
        object.fingerprint = declared.fingerprint();
        object.text = declared.text();
        for (Iterator<Caller> each = object.callers.iterator(); each.hasNext(); ) {
            if (each.next() instanceof Caller.Shipped(NodeId from, ShippedCall call)
                    && call.fingerprint() != object.fingerprint) {
                each.remove();
                refuse(object, from, call, out);
            }
        }
        if (declared.node().equals(self)) {
            next(object, out);
        } else {
            object.state = State.ELSEWHERE;
        }
    }

    public void onTurnCalled(Event.TurnCalled call, Effects out) {
        Served object = object(call.object());
        if (object.state == State.ELSEWHERE) {
            throw object.violation(call);
        }
        enqueue(object, new Caller.Local(call.waiter()), out);
    }

    public void onShippedCall(NodeId from, ShippedCall call, Effects out) {
        Served object = object(call.object());
        if (!from.equals(self)) {
            out.count(Counter.CALLS_SHIPPED);
            cargo.onCallArrived(from, call.cargo(), out);
        }
        if (object.state != State.UNDECLARED && call.fingerprint() != object.fingerprint) {
            refuse(object, from, call, out);
        } else {
            enqueue(object, new Caller.Shipped(from, call), out);
        }
    }

    public void onServeCalled(Event.ServeCalled call, Effects out) {
        Served object = object(call.object());
        switch (object.state) {
            case UNDECLARED, IDLE, LENT -> keepServer(object, call);
            case DUE -> {
                keepServer(object, call);
                next(object, out);
            }
            case ELSEWHERE, SERVING -> throw object.violation(call);
        }
    }

    private static void keepServer(Served object, Event.ServeCalled call) {
        if (object.server.isPresent()) {
            throw object.violation(call);
        }
        object.server = Optional.of(call.waiter());
    }

    public void onTurnEnded(Event.TurnEnded ended, Effects out) {
        Served object = object(ended.object());
        if (object.state != State.LENT) {
            throw object.violation(ended);
        }
        object.callers.remove();
        next(object, out);
    }

    public void onCallServed(Event.CallServed served, Effects out) {
        Served object = object(served.object());
        if (object.state != State.SERVING
                || !(object.callers.remove() instanceof Caller.Shipped(NodeId from, var call))) {
            throw object.violation(served);
        }
        if (from.equals(self)) {
            out.send(self, new ShippedReply(call.number(), Cargo.NONE, served.reply()));
        } else {
            releases.begin(new Leaving.Reply(from, call.number(), served.reply()), out);
        }
        next(object, out);
    }

    /** Everything dirty is flushed: the reply may go. */
    public void onReleasePerformed(Leaving.Reply reply, Effects out) {
        Cargo along = cargo.onCallLeaves(reply.to(), out);
        out.send(reply.to(), new ShippedReply(reply.number(), along, reply.reply()));
    }

    private void enqueue(Served object, Caller caller, Effects out) {
        object.callers.add(caller);
        if (object.state == State.IDLE) {
            next(object, out);
        }
    }

    /** Nothing runs: the first who wants to call may. */
    private static void next(Served object, Effects out) {
        switch (object.callers.peek()) {
            case null -> object.state = State.IDLE;
            case Caller.Local(WaiterId waiter) -> {
                object.state = State.LENT;
                out.resumeWaiter(waiter, Outcome.DONE);
            }
            case Caller.Shipped(NodeId from, ShippedCall call) -> {
                if (object.server.isEmpty()) {
                    object.state = State.DUE;
                    return;
                }
                object.state = State.SERVING;
                out.resumeWaiter(
                        object.server.get(), new Outcome.Delivered(from.index(), call.request()));
                object.server = Optional.empty();
            }
        }
    }

    private static void refuse(Served object, NodeId from, ShippedCall call, Effects out) {
        out.send(from, new ShippedRefusal(call.number(), object.text));
    }
}
