package io.muninn.verify.program;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Shipped objects in a run of a program: sends the events of the live client, in the same order.
 * Each object has a thread of its own on the node that serves it; one more thread completes the
 * posted calls of a node. The content of a call's request and reply is its serial number.
 */
final class ObjectServers {
    private final Simulation simulation;
    private final List<Observer> observers;
    private final Map<Long, List<Program.Step>> bodies = new LinkedHashMap<>();
    private final Map<ObjectId, Op.Declare> declarations = new LinkedHashMap<>();
    private final NodeThreads threads; // of each node
    // not completed, by process as programs name it
    private final List<Map<Long, ObjectId>> posted = new ArrayList<>();
    private final boolean[] hasCompleter; // likewise

    ObjectServers(Simulation simulation, Program program, List<Observer> observers) {
        this.simulation = simulation;
        this.observers = observers;
        program.scripts().forEach(this::read);
        threads = simulation.cluster().nodeThreads();
        hasCompleter = new boolean[program.nodes() * program.processes()];
        for (int i = 0; i < hasCompleter.length; i++) {
            posted.add(new LinkedHashMap<>());
        }
    }

    private void read(List<Program.Step> script) {
        ArrayDeque<Integer> begun = new ArrayDeque<>();
        for (int i = 0; i < script.size(); i++) {
            switch (script.get(i).op()) {
                case Op.Declare declare -> declarations.putIfAbsent(declare.object(), declare);
                case Op.Ship _ -> begun.push(i + 1);
                case Op.Return(_, long serial) ->
                        bodies.put(serial, script.subList(begun.pop(), i));
                default -> {} // about no object
            }
        }
    }

    /** The largest number of own threads that all nodes need for a program. */
    static int threads(Program program) {
        TreeSet<ObjectId> objects = new TreeSet<>();
        for (List<Program.Step> script : program.scripts()) {
            for (Program.Step step : script) {
                if (step.op() instanceof Op.Declare declare) {
                    objects.add(declare.object());
                }
            }
        }
        return objects.isEmpty() ? 0 : objects.size() + program.nodes() * program.processes();
    }

    void declare(SimThread thread, Op.Declare declare) {
        ObjectId object = declare.object();
        thread.post(
                new Event.ObjectDeclared(
                        object,
                        NodeId.of(declare.node()),
                        declare.fingerprint(),
                        "of node " + declare.node()));
        if (declare.node() == process(thread)) {
            thread.node().addOwnThread(thread.process()).start(new Server(object));
        }
    }

    /** The number by which programs know the process of a thread. */
    private int process(SimThread thread) {
        return threads.seen(thread.node().id(), thread.process()).index();
    }

    /**
     * A thread calls an object.
     *
     * @return true if it has the object's turn and runs the call itself; false if it waits, for the
     *     turn or for an answer
     */
    boolean call(SimThread caller, Op.Ship ship) {
        long serial = ship.serial();
        boolean isMistaken = isMistaken(ship);
        boolean isDirect = !isMistaken && isDirect(caller, ship);
        observers.forEach(each -> each.onCalled(caller, ship.object(), serial, isMistaken));
        NodeId to = NodeId.of(ship.to());
        if (isDirect) {
            if (!caller.acquire(ship.object().turn(), Op.FOR_EVER)) {
                return false;
            }
            begin(caller, ship.object(), serial);
            return true;
        }
        Bytes request = bytes(serial);
        if (ship.isPosted()) {
            post(caller, ship);
            caller.call(
                    new Event.PostCalled(
                            caller.id(), serial, ship.object(), to, ship.fingerprint(), request));
        } else {
            caller.call(
                    new Event.ShipCalled(
                            caller.id(), ship.object(), to, ship.fingerprint(), request));
        }
        return false;
    }

    private boolean isMistaken(Op.Ship ship) {
        Op.Declare declared = declarations.get(ship.object());
        return declared == null || declared.fingerprint() != ship.fingerprint();
    }

    /**
     * Whether the thread runs the call, as in the live client: on an object of its process, if it
     * overtakes no earlier posted call.
     */
    private boolean isDirect(SimThread caller, Op.Ship ship) {
        int self = process(caller);
        return ship.to() == self
                && !ship.isPosted()
                && !posted.get(self).containsValue(ship.object());
    }

    private void post(SimThread caller, Op.Ship ship) {
        int self = process(caller);
        posted.get(self).put(ship.serial(), ship.object());
        if (!hasCompleter[self]) {
            hasCompleter[self] = true;
            caller.node().addOwnThread(caller.process()).start(this::complete);
        }
    }

    /** A thread that has the object's turn begins a call. */
    void begin(SimThread thread, ObjectId object, long serial) {
        observers.forEach(each -> each.onCallBegun(thread, object, serial));
    }

    /** A thread has run a call, and releases the object's turn. */
    private void end(SimThread thread, ObjectId object, long serial) {
        observers.forEach(each -> each.onCallEnded(thread, object, serial));
        thread.freeLock(object.turn());
    }

    /** A thread has run a call of its own. */
    void endDirect(SimThread thread, Op.Return end) {
        end(thread, end.object(), end.serial());
        observers.forEach(each -> each.onReplied(thread, end.serial(), false));
    }

    /** Reports the outcome of a call that another thread has run, or that was refused. */
    void tell(SimThread thread, long serial, Outcome outcome) {
        if (outcome instanceof Outcome.Delivered(int _, Bytes reply) && serial(reply) != serial) {
            throw new Violation(
                    ProgramRun.PROGRAM,
                    thread + " is told in call " + serial + " the reply of " + serial(reply));
        }
        boolean isRefused = outcome instanceof Outcome.Refused;
        observers.forEach(each -> each.onReplied(thread, serial, isRefused));
    }

    private void complete(SimThread thread) {
        if (thread.hasOutcome()) {
            if (!(thread.takeOutcome() instanceof Outcome.Completed(long serial, Outcome how))) {
                thread.end(); // a node is lost
                return;
            }
            posted.get(process(thread)).remove(serial);
            tell(thread, serial, how);
        }
        thread.call(new Event.ReplyAwaited(thread.id()));
    }

    private static Bytes bytes(long serial) {
        return new Bytes(ByteBuffer.allocate(Long.BYTES).putLong(serial).array());
    }

    private static long serial(Bytes bytes) {
        return ByteBuffer.wrap(bytes.array()).getLong();
    }

    /** The body of an object's thread: runs one call after another. */
    private final class Server implements SimThread.Body {
        private final ObjectId object;
        private long serial; // of the received call
        private boolean isStarted;

        Server(ObjectId object) {
            this.object = object;
        }

        @Override
        public void go(SimThread thread) {
            if (!isStarted) {
                isStarted = true;
                thread.sleep(simulation.delays().wake()); // it takes a while to start a thread
                return;
            }
            if (!thread.hasOutcome()) {
                await(thread);
                return;
            }
            switch (thread.takeOutcome()) {
                case Outcome.Delivered(int _, Bytes request) -> {
                    serial = serial(request);
                    if (thread.acquire(object.turn(), Op.FOR_EVER)) {
                        run(thread);
                    }
                }
                case Outcome.Done() -> run(thread); // it has the turn
                default -> thread.end(); // a node is lost
            }
        }

        private void await(SimThread thread) {
            Event.Waiting next = new Event.ServeCalled(thread.id(), object);
            thread.call(next);
        }

        private void run(SimThread thread) {
            begin(thread, object, serial);
            SimThread.Body body =
                    new ScriptedBody(
                            simulation,
                            observers,
                            ObjectServers.this,
                            Objects.requireNonNull(bodies.get(serial), "a body"),
                            new long[0],
                            () -> answer(thread));
            thread.become(body);
            body.go(thread);
        }

        private void answer(SimThread thread) {
            end(thread, object, serial);
            thread.post(new Event.CallServed(object, bytes(serial)));
            thread.become(this);
            await(thread);
        }
    }
}
