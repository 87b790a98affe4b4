package io.muninn.sync;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.ShippedCall;
import io.muninn.sync.SyncMessage.ShippedRefusal;
import io.muninn.sync.SyncMessage.ShippedReply;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Shipped objects on the node that serves them. Calls of other nodes, and some of this node's, run
 * one at a time, in the order of their arrival here, on the object's own thread, the server. Other
 * threads of this node may run calls themselves; the thread that runs one holds the object's {@link
 * ObjectId#turn}, a lock.
 *
 * <p>The cargo of a call is acquired when it arrives; every dirty page is flushed before its reply
 * is sent. The next call starts meanwhile.
 *
 * <p>Source: Munin §8, function shipping of the task queues of TSP-F and QSORT. Departure: part of
 * the system, with release consistency in both directions.
 *
 * <pre>
 *             ObjectDeclared  ShippedCall  ServeCalled      CallServed
 * Undeclared  next (1)        wait         keep the server  impossible
 * Elsewhere   ignore (4)      refuse (2)   impossible       impossible
 * Idle        ignore (4)      next (1)     keep the server  impossible
 * Acquiring   ignore (4)      wait         keep the server  impossible
 * Due         ignore (4)      wait         serve, →Serving  impossible
 * Serving     ignore (4)      wait         impossible       reply, next (1)
 *
 *             acquire performed (3)
 * Undeclared  note
 * Elsewhere   ignore
 * Idle        ignore
 * Acquiring   note, next (1)
 * Due         note
 * Serving     note
 *
 * (1) the oldest waiting call is served (2), or, if its acquire is not performed: →Acquiring; if
 *     none waits: →Idle. If another node serves the object: refuse all calls, →Elsewhere
 * (2) →Serving if the server waits for a call, else →Due. A call for another interface or node is
 *     refused in any state but Undeclared; there it is refused when the object is declared, or
 *     when the program has ended on this node
 * (3) of a waiting call; the acquire of a refused call is ignored. A call of this node needs none,
 *     unless a process of the node has seen less than another
 * (4) the same declaration by another process of the node; one that differs fails the run.
 *     Impossible on a node of one process
 * </pre>
 */
public final class ServedObjects {
    enum State {
        UNDECLARED("Undeclared"),
        ELSEWHERE("Elsewhere"),
        IDLE("Idle"),
        ACQUIRING("Acquiring"),
        DUE("Due"),
        SERVING("Serving");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private static final class Shipped {
        final NodeId from;
        final ShippedCall call;
        boolean isAcquired;

        Shipped(NodeId from, ShippedCall call, boolean isAcquired) {
            this.from = from;
            this.call = call;
            this.isAcquired = isAcquired;
        }
    }

    private static final class Served {
        final ObjectId id;
        State state = State.UNDECLARED;
        long fingerprint;
        String text = ""; // empty while Undeclared
        Optional<WaiterId> server = Optional.empty(); // while it waits for a call
        final ArrayDeque<Shipped> calls = new ArrayDeque<>(); // the first one is running

        Served(ObjectId id) {
            this.id = id;
        }

        ProtocolViolation violation(Object event) {
            return new ProtocolViolation("object=" + id + " state=" + state + " event=" + event);
        }
    }

    private final NodeId self;
    private final NodeThreads threads;
    private final Releases releases;
    private final Acquires acquires;
    private final CargoHold cargo;
    private final ProcessViews views;
    private final Map<ObjectId, Served> objects = new TreeMap<>();
    private int threadsEnded;
    private int servedHere;

    /**
     * @param threads of this node
     */
    public ServedObjects(
            NodeId self,
            NodeThreads threads,
            Releases releases,
            Acquires acquires,
            CargoHold cargo,
            ProcessViews views) {
        this.self = self;
        this.threads = threads;
        this.releases = releases;
        this.acquires = acquires;
        this.cargo = cargo;
        this.views = views;
    }

    /** The name of an object's state in the table. */
    public String stateOf(ObjectId object) {
        Served known = objects.get(object);
        return (known == null ? State.UNDECLARED : known.state).word;
    }

    /** Objects that this node serves, each by a thread of its own. */
    public int servedHere() {
        return servedHere;
    }

    private Served object(ObjectId id) {
        return objects.computeIfAbsent(id, Served::new);
    }

    public void onObjectDeclared(Event.ObjectDeclared declared, Effects out) {
        Served object = object(declared.object());
        if (object.state != State.UNDECLARED) {
            onDeclaredAgain(object, declared, out);
            return;
        }
        object.fingerprint = declared.fingerprint();
        object.text = "node " + self + " declares it as " + declared.text();
        refuseAllThatDiffer(object, out);
        if (threads.nodeOf(declared.node()).equals(self)) {
            servedHere++;
            next(object, out);
        } else {
            object.state = State.ELSEWHERE;
        }
    }

    /** Every process of the node declares an object, and each in the same way. */
    private void onDeclaredAgain(Served object, Event.ObjectDeclared declared, Effects out) {
        if (threads.processes() == 1) {
            throw object.violation(declared);
        }
        if (declared.fingerprint() != object.fingerprint) {
            out.failRun(
                    "object "
                            + object.id
                            + ": "
                            + object.text
                            + ", and another of its processes as "
                            + declared.text());
        }
    }

    private void refuseAllThatDiffer(Served object, Effects out) {
        for (Iterator<Shipped> each = object.calls.iterator(); each.hasNext(); ) {
            Shipped shipped = each.next();
            if (differs(object, shipped.call)) {
                each.remove();
                refuse(object, shipped.from, shipped.call, out);
            }
        }
    }

    /** True if the caller's declaration differs from the object's, now and for ever. */
    private boolean differs(Served object, ShippedCall call) {
        return object.text.isEmpty()
                ? threadsEnded >= threads.count()
                : call.fingerprint() != object.fingerprint;
    }

    /** Records threads whose program has ended: after the last one, no object will be declared. */
    public void onThreadsEnded(int count, Effects out) {
        threadsEnded += count;
        if (threadsEnded >= threads.count()) {
            objects.values().forEach(object -> refuseAllThatDiffer(object, out));
        }
    }

    public void onShippedCall(NodeId from, ShippedCall call, Effects out) {
        Served object = object(call.object());
        boolean isOwn = from.equals(self);
        if (!isOwn) {
            out.count(NodeCounter.CALLS_SHIPPED);
        }
        if (differs(object, call)) {
            refuse(object, from, call, out);
            return;
        }
        boolean isAcquired = isOwn && views.hasSeen(MappingId.ALL, MappingId.ALL);
        object.calls.add(new Shipped(from, call, isAcquired));
        if (object.state == State.IDLE) {
            next(object, out);
        }
        GatedAcquire.Call acquire = new GatedAcquire.Call(from, object.id, call.number());
        if (!isOwn) {
            acquires.begin(acquire, call.cargo(), out);
        } else if (!isAcquired) { // the object's process must have seen what the caller's has
            views.begin(acquire, views.of(MappingId.ALL), out);
        }
    }

    /** Makes a call ready to run in its turn, because the caller's stores are visible here. */
    public void onAcquirePerformed(GatedAcquire.Call acquired, Effects out) {
        Served object = object(acquired.object());
        for (Shipped shipped : object.calls) {
            shipped.isAcquired |=
                    shipped.from.equals(acquired.from())
                            && shipped.call.number() == acquired.number();
        }
        if (object.state == State.ACQUIRING) {
            next(object, out);
        }
    }

    public void onServeCalled(Event.ServeCalled call, Effects out) {
        Served object = object(call.object());
        switch (object.state) {
            case UNDECLARED, IDLE, ACQUIRING -> keepServer(object, call);
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

    public void onCallServed(Event.CallServed served, Effects out) {
        Served object = object(served.object());
        if (object.state != State.SERVING) {
            throw object.violation(served);
        }
        Shipped done = object.calls.remove();
        NodeId from = done.from;
        long number = done.call.number();
        if (from.equals(self)) {
            out.send(self, new ShippedReply(number, Cargo.NONE, served.reply()));
        } else {
            releases.begin(new GatedRelease.Reply(from, number, served.reply()), out);
        }
        next(object, out);
    }

    /** Sends a reply, because every dirty page is flushed. */
    public void onReleasePerformed(GatedRelease.Reply reply, Effects out) {
        Cargo along = cargo.onSend(reply.to(), out);
        out.send(reply.to(), new ShippedReply(reply.number(), along, reply.reply()));
    }

    /** Serves the oldest waiting call; none is running. */
    private static void next(Served object, Effects out) {
        if (object.calls.isEmpty()) {
            object.state = State.IDLE;
        } else if (!object.calls.element().isAcquired) {
            object.state = State.ACQUIRING;
        } else if (object.server.isEmpty()) {
            object.state = State.DUE;
        } else {
            Shipped first = object.calls.element();
            object.state = State.SERVING;
            out.resumeWaiter(
                    object.server.get(),
                    new Outcome.Delivered(first.from.index(), first.call.request()));
            object.server = Optional.empty();
        }
    }

    private void refuse(Served object, NodeId from, ShippedCall call, Effects out) {
        String text =
                object.text.isEmpty()
                        ? "the program has ended on node " + self + " without asking for it"
                        : object.text;
        out.send(from, new ShippedRefusal(call.number(), text));
    }
}
