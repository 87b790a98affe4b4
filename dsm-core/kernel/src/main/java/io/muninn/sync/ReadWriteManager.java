package io.muninn.sync;

import io.muninn.model.NodeId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.ReadWriteMessage.ReadWriteCancel;
import io.muninn.sync.ReadWriteMessage.ReadWriteGrant;
import io.muninn.sync.ReadWriteMessage.ReadWriteRecall;
import io.muninn.sync.ReadWriteMessage.ReadWriteRequest;
import io.muninn.sync.ReadWriteMessage.ReadWriteReturn;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The reader-writer locks that this node manages: which nodes have permission to read or to write,
 * and the queue of requests. Requests are granted first in, first out; consecutive readers are
 * granted together. A writer at the head recalls the permission to read from all other nodes, and
 * no reader behind it is granted before it. A grant passes on the cargo that the last writers have
 * returned; this node need not have acquired it.
 *
 * <pre>
 *            ReadWriteRequest      ReadWriteReturn                ReadWriteCancel
 * Free       grant, →Shared or     impossible                     ignore (1)
 *            →Exclusive
 * Shared     reader: grant;        forget the node (2);           ignore (1)
 *            writer: recall from   last: →Free
 *            others, →Recalling
 * Recalling  queue                 forget the node (2), serve     remove, serve (3)
 *                                  (3)
 * Exclusive  queue                 forget the node, serve (3);    remove
 *                                  downgrade: it reads now,
 *                                  →Shared, serve (3)
 *
 * (1) the request was granted; its node returns the permission
 * (2) unless it is about an earlier permission than the node has: it crossed a grant that renewed
 *     it, see (3)
 * (3) a writer at the head: grant when no node has permission, →Exclusive; until then recall from
 *     all nodes but its own, which has closed its own permission, →Recalling. Readers at the head:
 *     grant, →Shared; to a node that has permission already, that renews it
 * </pre>
 */
public final class ReadWriteManager {
    /** What a node has. */
    private static final class Holder {
        final long number; // of the granted request
        boolean isRecalled;

        Holder(long number) {
            this.number = number;
        }
    }

    private record Request(NodeId node, long number, boolean toWrite) {}

    private static final class Lock {
        final ReadWriteLockId id;
        final ArrayDeque<Request> queue = new ArrayDeque<>();
        final TreeMap<NodeId, Holder> holders = new TreeMap<>();
        boolean isWriting; // the only holder may write
        VectorTimestamp written; // covers the intervals of all writers so far

        Lock(ReadWriteLockId id, VectorTimestamp written) {
            this.id = id;
            this.written = written;
        }

        String state() {
            if (isWriting) {
                return "Exclusive";
            }
            return holders.isEmpty() ? "Free" : queue.isEmpty() ? "Shared" : "Recalling";
        }
    }

    private final CargoHold cargo;
    private final Map<ReadWriteLockId, Lock> locks = new LinkedHashMap<>();

    public ReadWriteManager(CargoHold cargo) {
        this.cargo = cargo;
    }

    public void onRequest(NodeId from, ReadWriteRequest request, Effects out) {
        Lock lock = lock(request.lock());
        lock.queue.add(new Request(from, request.number(), request.toWrite()));
        serve(lock, out);
    }

    public void onCancel(NodeId from, ReadWriteCancel cancel, Effects out) {
        Lock lock = lock(cancel.lock());
        boolean isRemoved =
                lock.queue.removeIf(
                        each -> each.node().equals(from) && each.number() == cancel.number());
        if (isRemoved) {
            serve(lock, out);
        }
    }

    public void onReturn(NodeId from, ReadWriteReturn returned, Effects out) {
        Lock lock = lock(returned.lock());
        Holder holder = lock.holders.get(from);
        if (holder == null
                || holder.number < returned.number()
                || returned.keepsReading() && !lock.isWriting) {
            throw new ProtocolViolation(
                    "reader-writer lock="
                            + lock.id
                            + " state="
                            + lock.state()
                            + " node="
                            + from
                            + " event="
                            + returned);
        }
        if (holder.number > returned.number()) {
            return;
        }
        lock.written = lock.written.join(cargo.timestamp(returned.cargo()));
        lock.isWriting = false;
        if (!returned.keepsReading()) {
            lock.holders.remove(from);
        }
        serve(lock, out);
    }

    /** The lock's state, by its name in the table above. */
    public String stateOf(ReadWriteLockId id) {
        Lock lock = locks.get(id);
        return lock == null ? "Free" : lock.state();
    }

    /** True if a request is in the queue. For checkers. */
    public boolean isQueued(ReadWriteLockId id, NodeId node, long number) {
        Lock lock = locks.get(id);
        return lock != null
                && lock.queue.stream()
                        .anyMatch(each -> each.node().equals(node) && each.number() == number);
    }

    private Lock lock(ReadWriteLockId id) {
        return locks.computeIfAbsent(id, _ -> new Lock(id, cargo.timestamp(Cargo.NONE)));
    }

    private void serve(Lock lock, Effects out) {
        while (!lock.queue.isEmpty() && !lock.isWriting) {
            Request head = lock.queue.element();
            if (head.toWrite() && !lock.holders.isEmpty()) {
                recall(lock, head.node(), out);
                return;
            }
            grant(lock, lock.queue.remove(), out);
        }
    }

    private void recall(Lock lock, NodeId forNode, Effects out) {
        lock.holders.forEach((node, holder) -> {
            if (!holder.isRecalled && !node.equals(forNode)) {
                holder.isRecalled = true;
                out.send(node, new ReadWriteRecall(lock.id, holder.number));
            }
        });
    }

    private void grant(Lock lock, Request request, Effects out) {
        lock.holders.put(request.node(), new Holder(request.number()));
        lock.isWriting = request.toWrite();
        Cargo along = cargo.onRelay(request.node(), lock.written, out);
        out.send(
                request.node(),
                new ReadWriteGrant(lock.id, request.number(), request.toWrite(), along));
    }
}
