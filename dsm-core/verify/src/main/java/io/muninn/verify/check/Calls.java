package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.sync.SyncMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Calls of shipped objects:
 *
 * <ul>
 *   <li>one call of an object runs at a time, and each runs once, unless it is refused because of a
 *       different declaration
 *   <li>calls of one thread to one object run in the order of the calls
 *   <li>an object is not idle while a call has arrived and waits
 *   <li>each call is answered once, after it has run, and all calls are answered at the end
 *   <li>a call or reply leaves its node only after every page that was dirty when the agent
 *       received it is compared with its twin
 * </ul>
 *
 * <p>For scripted programs, in which the content of a request and its reply is the call's serial
 * number.
 */
final class Calls implements Checker {
    static final String NAME = "calls";

    /** An unanswered call. */
    private static final class Call {
        final SimThread caller;
        final ObjectId object;
        final boolean isMistaken;
        boolean hasCome; // arrived at another node
        boolean isBegun;
        boolean isEnded;

        Call(SimThread caller, ObjectId object, boolean isMistaken) {
            this.caller = caller;
            this.object = object;
            this.isMistaken = isMistaken;
        }
    }

    /** Pages that must be flushed before a message leaves a node. */
    private record Unflushed(NodeId node, TreeSet<PageId> pages) {}

    private final Map<Long, Call> calls = new LinkedHashMap<>(); // by serial number, as called
    private final Map<ObjectId, Long> running = new LinkedHashMap<>();
    private final List<TreeSet<PageId>> dirty = new ArrayList<>(); // by node
    private final Map<Long, Unflushed> requests = new LinkedHashMap<>(); // by serial number
    private final Map<Long, Unflushed> replies = new LinkedHashMap<>(); // likewise
    private NodeThreads threads = new NodeThreads(1, 1); // of each node
    private boolean isOver; // once a node is lost

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        threads = simulation.cluster().nodeThreads();
        for (int i = 0; i < simulation.cluster().nodes(); i++) {
            dirty.add(new TreeSet<>());
        }
    }

    @Override
    public void onCalled(SimThread caller, ObjectId object, long serial, boolean isMistaken) {
        calls.put(serial, new Call(caller, object, isMistaken));
    }

    @Override
    public void onCallBegun(SimThread server, ObjectId object, long serial) {
        Call call = call(server, serial, "runs");
        Long other = running.put(object, serial);
        if (other != null) {
            throw violation(
                    server
                            + " runs call "
                            + serial
                            + " of "
                            + object
                            + " while "
                            + other
                            + " runs");
        }
        if (call.isBegun || call.isMistaken) {
            throw violation(
                    server
                            + " runs call "
                            + serial
                            + " of "
                            + object
                            + (call.isBegun ? " again" : ", which means something else"));
        }
        call.isBegun = true;
        checkFirst(call, serial);
    }

    private void checkFirst(Call call, long serial) {
        for (Map.Entry<Long, Call> each : calls.entrySet()) {
            Call earlier = each.getValue();
            if (earlier == call) {
                return;
            }
            if (earlier.caller == call.caller
                    && earlier.object.equals(call.object)
                    && !earlier.isBegun
                    && !earlier.isMistaken) {
                throw violation(
                        "call "
                                + serial
                                + " of "
                                + call.object
                                + " runs before "
                                + each.getKey()
                                + ", which "
                                + call.caller
                                + " has made earlier");
            }
        }
    }

    @Override
    public void onCallEnded(SimThread server, ObjectId object, long serial) {
        running.remove(object);
        call(server, serial, "ends").isEnded = true;
    }

    @Override
    public void onReplied(SimThread thread, long serial, boolean isRefused) {
        Call call = call(thread, serial, "is answered in");
        if (isRefused != call.isMistaken || isRefused == call.isEnded) {
            throw violation(
                    thread
                            + " is told that call "
                            + serial
                            + " of "
                            + call.object
                            + (isRefused ? " is refused" : " has run")
                            + (call.isMistaken ? ", which means something else" : ", which")
                            + (call.isEnded ? " has run" : " has not run"));
        }
        calls.remove(serial);
        requests.remove(serial);
        replies.remove(serial);
    }

    private Call call(SimThread thread, long serial, String does) {
        Call call = calls.get(serial);
        if (call == null) {
            throw violation(
                    thread
                            + " "
                            + does
                            + " call "
                            + serial
                            + ", which is answered or was not made");
        }
        return call;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        switch (event) {
            case Event.ShipCalled call ->
                    leaves(node, threads.nodeOf(call.to()), call.request(), requests);
            case Event.PostCalled call ->
                    leaves(node, threads.nodeOf(call.to()), call.request(), requests);
            case Event.CallServed served -> {
                NodeId to =
                        call(node.thread(0), serial(served.reply()), "serves").caller.node().id();
                leaves(node, to, served.reply(), replies);
            }
            case Event.MessageArrived(NodeId _, SyncMessage.ShippedCall message, long _) -> {
                Call call = call(node.thread(0), serial(message.request()), "gets");
                call.hasCome = true;
            }
            case Event.PeerLost _ -> isOver = true;
            default -> {} // about no call
        }
    }

    private void leaves(SimNode node, NodeId to, Bytes what, Map<Long, Unflushed> leaving) {
        TreeSet<PageId> pages = dirty.get(node.id().index());
        if (!to.equals(node.id()) && !pages.isEmpty()) {
            leaving.put(serial(what), new Unflushed(node.id(), new TreeSet<>(pages)));
        }
    }

    private static long serial(Bytes bytes) {
        return ByteBuffer.wrap(bytes.array()).getLong();
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (int i = 0; i < effects.size() && !isOver; i++) {
            switch (effects.get(i)) {
                case Effect.MakeTwin(PageId page)
                        when !node.traits(page).has(Trait.ACQUIRES_INVALIDATE) ->
                        dirty.get(node.id().index()).add(page);
                case Effect.SaveDiff(PageId page, long _, boolean _) -> flushed(node, page);
                case Effect.Send(NodeId _, SyncMessage.ShippedCall call) ->
                        checkFlushed(node, "call ", serial(call.request()), requests);
                case Effect.Send(NodeId _, SyncMessage.ShippedReply reply) ->
                        checkFlushed(node, "the reply to call ", serial(reply.reply()), replies);
                default -> {} // about no call
            }
        }
        switch (event) {
            case Event.ObjectDeclared declared -> checkIdle(node, declared.object());
            case Event.CallServed served -> checkIdle(node, served.object());
            case Event.MessageArrived(NodeId _, SyncMessage.ShippedCall call, long _) ->
                    checkIdle(node, call.object());
            default -> {} // does not change objects
        }
    }

    private void checkIdle(SimNode node, ObjectId object) {
        if (isOver || !node.view().objectState(object).equals("Idle")) {
            return;
        }
        for (Map.Entry<Long, Call> each : calls.entrySet()) {
            Call call = each.getValue();
            if (call.object.equals(object) && call.hasCome && !call.isBegun && !call.isMistaken) {
                throw violation(
                        "call "
                                + each.getKey()
                                + " has come to node "
                                + node.id()
                                + ", where "
                                + object
                                + " is idle: nobody will run it");
            }
        }
    }

    private void flushed(SimNode node, PageId page) {
        dirty.get(node.id().index()).remove(page);
        flushed(node, page, requests);
        flushed(node, page, replies);
    }

    private static void flushed(SimNode node, PageId page, Map<Long, Unflushed> leaving) {
        for (Unflushed each : leaving.values()) {
            if (each.node().equals(node.id())) {
                each.pages().remove(page);
            }
        }
    }

    private void checkFlushed(
            SimNode node, String what, long serial, Map<Long, Unflushed> leaving) {
        Unflushed unflushed = leaving.remove(serial);
        if (unflushed != null && !unflushed.pages().isEmpty()) {
            throw violation(
                    what
                            + serial
                            + " leaves before a flush of "
                            + node.describe(unflushed.pages().first()));
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        if (simulation.lost().isEmpty() && !calls.isEmpty()) {
            throw violation("calls were never answered: " + calls.keySet());
        }
    }
}
