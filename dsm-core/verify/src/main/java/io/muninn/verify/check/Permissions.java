package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.sync.ReadWriteLocks;
import io.muninn.sync.ReadWriteMessage;
import io.muninn.sync.ReadWriteMessage.ReadWriteCancel;
import io.muninn.sync.ReadWriteMessage.ReadWriteGrant;
import io.muninn.sync.ReadWriteMessage.ReadWriteRecall;
import io.muninn.sync.ReadWriteMessage.ReadWriteRequest;
import io.muninn.sync.ReadWriteMessage.ReadWriteReturn;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Under a reader-writer lock one thread writes, or any number reads.
 *
 * <ul>
 *   <li>A manager grants requests in the order in which it receives them, except that readers among
 *       themselves have no order: no reader is granted before a writer that waits, and no writer
 *       before anybody who waits. So the number of grants before a writer's is bounded.
 *   <li>It grants permission to write when no node has any permission, and does not keep a request
 *       that it could grant.
 *   <li>A node lets readers enter by themselves, without a call, exactly while it is Reading and
 *       nobody waits there. It admits no reader that calls when the lock is closed, unless its
 *       manager is the node itself, and grants at once.
 *   <li>It has a request outstanding, and the word closed, only for threads that wait: one that has
 *       given up keeps nobody from the lock. A permission that was recalled stays closed.
 * </ul>
 *
 * <p>After the loss of a node only the first is checked, for threads of nodes that live.
 */
final class Permissions implements Checker {
    static final String NAME = "permissions";

    private record Request(NodeId node, long number, boolean toWrite) {}

    private final Map<ReadWriteLockId, Set<SimThread>> readers = new TreeMap<>();
    private final Map<ReadWriteLockId, SimThread> writers = new TreeMap<>();
    private final Map<ReadWriteLockId, List<Request>> queues = new TreeMap<>();
    private final Map<ReadWriteLockId, Map<NodeId, Request>> granted = new TreeMap<>();
    private final Map<ReadWriteLockId, Map<NodeId, Long>> recalled = new TreeMap<>(); // by number
    private final TreeSet<ReadWriteLockId> known = new TreeSet<>();
    private String before = ""; // the state of the lock of the present call; empty once granted

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onPermitted(SimThread thread, ReadWriteLockId lock, boolean toWrite) {
        SimThread writer = writers.get(lock);
        Set<SimThread> reading = readersOf(lock);
        reading.removeIf(each -> each.node().isDead());
        boolean isWritten = writer != null && writer != thread && !writer.node().isDead();
        if (isWritten || toWrite && !reading.isEmpty()) {
            throw violation(
                    thread
                            + (toWrite ? " writes" : " reads")
                            + " under '"
                            + lock
                            + "', under which "
                            + (isWritten ? writer + " writes" : reading + " read"));
        }
        if (toWrite) {
            writers.put(lock, thread);
        } else {
            reading.add(thread);
        }
    }

    private Set<SimThread> readersOf(ReadWriteLockId lock) {
        return readers.computeIfAbsent(lock, _ -> new LinkedHashSet<>());
    }

    @Override
    public void onPermissionEnded(SimThread thread, ReadWriteLockId lock, boolean toWrite) {
        boolean wasPermitted =
                toWrite ? writers.remove(lock) == thread : readersOf(lock).remove(thread);
        if (!wasPermitted) {
            throw violation(thread + " leaves '" + lock + "', where it was not");
        }
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        switch (event) {
            case Event.MessageArrived(NodeId from, ReadWriteMessage message, long _) ->
                    onMessage(node, from, message);
            case Event.PermissionCalled call ->
                    before = node.view().readWriteLocks().stateOf(call.lock());
            default -> {} // about no lock
        }
    }

    @Override
    public void onOwnMessage(SimNode node, WireMessage message) {
        if (message instanceof ReadWriteMessage about) {
            onMessage(node, node.id(), about);
            if (about instanceof ReadWriteGrant grant) {
                onGrant(node.simulation(), node.id(), grant);
                before = ""; // who calls now may be admitted by this grant
            }
        }
    }

    private void onMessage(SimNode manager, NodeId from, ReadWriteMessage message) {
        known.add(message.lock());
        List<Request> queue = queues.computeIfAbsent(message.lock(), _ -> new ArrayList<>());
        switch (message) {
            case ReadWriteRequest(ReadWriteLockId lock, long number, boolean toWrite) -> {
                if (!lock.manager(manager.simulation().nodes().size()).equals(manager.id())) {
                    throw violation("node " + manager.id() + " does not manage '" + lock + "'");
                }
                queue.add(new Request(from, number, toWrite));
            }
            case ReadWriteCancel(ReadWriteLockId lock, long number) -> {
                if (manager.view().readWriteManager().isQueued(lock, from, number)) {
                    queue.removeIf(each -> each.node().equals(from) && each.number() == number);
                } // else it is granted, and the grant is on its way
            }
            case ReadWriteReturn returned -> onReturn(from, returned);
            case ReadWriteRecall recall ->
                    recalledOf(recall.lock()).put(manager.id(), recall.number());
            case ReadWriteGrant _ -> {} // it was seen when it was sent
        }
    }

    private Map<NodeId, Request> grantedOf(ReadWriteLockId lock) {
        return granted.computeIfAbsent(lock, _ -> new TreeMap<>());
    }

    private Map<NodeId, Long> recalledOf(ReadWriteLockId lock) {
        return recalled.computeIfAbsent(lock, _ -> new TreeMap<>());
    }

    private void onReturn(NodeId from, ReadWriteReturn returned) {
        Map<NodeId, Request> of = grantedOf(returned.lock());
        Request has = of.get(from);
        if (has != null && has.number() == returned.number()) {
            of.remove(from);
            if (returned.keepsReading()) {
                of.put(from, new Request(from, has.number(), false));
            }
        }
    }

    private void onGrant(Simulation simulation, NodeId to, ReadWriteGrant grant) {
        List<Request> queue = queues.computeIfAbsent(grant.lock(), _ -> new ArrayList<>());
        Request granting = new Request(to, grant.number(), grant.toWrite());
        int at = queue.indexOf(granting);
        if (at < 0) {
            throw violation("'" + grant.lock() + "' is granted to nobody who waits: " + granting);
        }
        List<Request> earlier = queue.subList(0, at);
        if (earlier.stream().anyMatch(each -> each.toWrite() || grant.toWrite())) {
            throw violation(
                    "'" + grant.lock() + "' is granted to " + granting + " before " + earlier);
        }
        queue.remove(at);
        grantedOf(grant.lock()).put(to, granting);
        if (grant.toWrite() && simulation.lost().isEmpty()) {
            for (SimNode node : simulation.nodes()) {
                String state = node.view().readWriteLocks().stateOf(grant.lock());
                if (!state.equals("Away") && !state.equals("Asked")) {
                    throw violation(
                            "'"
                                    + grant.lock()
                                    + "' is granted to a writer of node "
                                    + to
                                    + ", and node "
                                    + node.id()
                                    + " is "
                                    + state);
                }
            }
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Send(NodeId to, ReadWriteGrant grant) ->
                        onGrant(node.simulation(), to, grant);
                case Effect.AdmitReaders admit -> {
                    boolean isOfCall =
                            event instanceof Event.PermissionCalled call
                                    && call.lock().equals(admit.lock());
                    if (isOfCall && (before.equals("Closed") || before.equals("Recalled"))) {
                        throw violation(
                                "node "
                                        + node.id()
                                        + " admits a reader to '"
                                        + admit.lock()
                                        + "', which is "
                                        + before);
                    }
                }
                default -> {} // about no reader-writer lock
            }
        }
        if (node.simulation().lost().isEmpty()) {
            known.forEach(lock -> {
                check(node, lock);
                checkServed(lock);
            });
        }
    }

    private void check(SimNode node, ReadWriteLockId lock) {
        ReadWriteLocks of = node.view().readWriteLocks();
        String state = of.stateOf(lock);
        boolean isReading = state.equals("Reading");
        boolean waits = of.waiters(lock) > 0;
        if (isReading != node.locks().isOpen(lock)
                || isReading && waits
                || state.equals("Away") && waits
                || state.equals("Closed") && !of.isWriterFirst(lock)
                || isReading && isRecalled(node, lock)
                || !waits && of.askedNumber(lock) > 0) {
            throw violation(
                    "node "
                            + node.id()
                            + " '"
                            + lock
                            + "' is "
                            + state
                            + (node.locks().isOpen(lock) ? " and open, " : ", ")
                            + of.waiters(lock)
                            + " threads wait, and request "
                            + of.askedNumber(lock)
                            + " is outstanding");
        }
    }

    private boolean isRecalled(SimNode node, ReadWriteLockId lock) {
        long number = node.view().readWriteLocks().permissionNumber(lock);
        return recalledOf(lock).getOrDefault(node.id(), 0L) == number;
    }

    /** The first request of a queue must wait for the return of some node. */
    private void checkServed(ReadWriteLockId lock) {
        List<Request> queue = queues.getOrDefault(lock, List.of());
        if (!queue.isEmpty()) {
            Request first = queue.getFirst();
            boolean mustWait =
                    first.toWrite()
                            ? !grantedOf(lock).isEmpty()
                            : grantedOf(lock).values().stream().anyMatch(Request::toWrite);
            if (!mustWait) {
                throw violation("'" + lock + "' could be granted, and nobody does: " + queue);
            }
        }
    }
}
