package io.muninn.sync;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;
import io.muninn.spi.WaiterId;
import io.muninn.sync.ReadWriteMessage.ReadWriteCancel;
import io.muninn.sync.ReadWriteMessage.ReadWriteGrant;
import io.muninn.sync.ReadWriteMessage.ReadWriteRecall;
import io.muninn.sync.ReadWriteMessage.ReadWriteRequest;
import io.muninn.sync.ReadWriteMessage.ReadWriteReturn;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One node's part of reader-writer locks: the permission that {@link ReadWriteManager} has granted
 * to the node, and the threads that wait for it, first in, first out.
 *
 * <p>Permission to read stays on the node when its readers have left, until the manager recalls it
 * or a writer of the node waits. Meanwhile the lock's word in shared memory is open: readers enter
 * and leave by atomic operations on their count, without a message or a call. A closed word lets
 * readers leave only; the last one notifies the agent. Permission to write is returned by the
 * writer's release, after the flush, with the node's cargo. Permission to read is returned without
 * cargo and without a flush, because its release publishes nothing; only in runs that look for
 * races it is returned as that of a writer is, so that the next writer knows what was loaded
 * before.
 *
 * <p>A node has at most one request outstanding: for the first of its waiters. Requests are
 * numbered, and a permission has the number of its request; messages about an earlier one are
 * recognized by it.
 *
 * <pre>
 *            PermissionCalled    ReadWriteGrant           ReadWriteRecall  WriteReleased
 * Away       ask, →Asked         return it (1)            ignore (2)       impossible
 * Asked      wait                acquire, →Acquiring;     ignore (2)       impossible
 *                                not what was asked for:
 *                                return it (1)
 * Acquiring  wait                impossible               note (3)         impossible
 * Reading    reader: admit;      renew (4)                close            impossible
 *            writer: close
 * Closed     wait                renew (4)                →Recalled        impossible
 * Recalled   wait, ask ahead     renew, let in (4) (7)    ignore (2)       impossible
 * Closing    impossible          impossible               note             impossible
 * Writing    wait, ask ahead     impossible               ignore (2)       release, →Returning
 * Returning  wait, ask ahead     keep (9)                 ignore (2) (9)   impossible
 *
 *            ReadersClosed (5)     ReadersLeft (6)   acquire performed  release performed
 * Away       impossible            ignore            impossible         impossible
 * Asked      impossible            ignore            impossible         impossible
 * Acquiring  impossible            ignore            let in (7)         impossible
 * Reading    impossible            ignore            impossible         impossible
 * Closed     impossible            close             impossible         impossible
 * Recalled   impossible            close             impossible         impossible
 * Closing    no readers: return,   impossible        impossible         impossible
 *            →Away or →Asked;
 *            else let in (7)
 *            or ask ahead,
 *            →Closed or →Recalled
 * Writing    impossible            ignore            impossible         impossible
 * Returning  impossible            ignore            impossible         return with cargo;
 *                                                                       downgrade: let in (7);
 *                                                                       else →Away or →Asked
 *
 *            wait over or cancelled
 * Away       ignore
 * Asked      leave the queue (8)
 * Acquiring  leave the queue
 * Reading    ignore
 * Closed     leave the queue, let in (7) (8)
 * Recalled   leave the queue (8)
 * Closing    impossible
 * Writing    leave the queue (8)
 * Returning  leave the queue (8)
 *
 * (1) its request was cancelled, and the grant crossed the cancellation
 * (2) it is about a permission that the node has returned, or closed already
 * (3) the recall arrived before the acquire was performed: readers that wait are admitted once, and
 *     the word stays closed
 * (4) a reader waited here while the node had permission to read, and no writer was before it: the
 *     permission has the new number and is no longer recalled. Nothing is acquired, because nobody
 *     has written. The request may have been cancelled meanwhile
 * (5) the result of closing the word, with the number of readers, arrives before the next outside
 *     event, but after the messages of the step to the node itself. In runs that look for races:
 *     no readers: release, →Returning
 * (6) only a hint: the word is inspected, because it may be about an earlier permission
 * (7) a writer at the head: →Writing. Readers at the head are admitted; then, without further
 *     waiters and without a recall, open the word: →Reading; else →Closed or →Recalled. If nobody
 *     is admitted, close: the word may be without readers. A permission of no use is returned
 * (8) if nobody waits for what was asked for, cancel the request; ask for the present head
 * (9) while permission to read is returned, in runs that look for races: kept, and processed after
 *     that. While permission to write is returned, a grant is impossible
 * </pre>
 */
public final class ReadWriteLocks {
    private static final int WAITERS_MAX = 1 << 16;

    enum State {
        AWAY("Away"),
        ASKED("Asked"),
        ACQUIRING("Acquiring"),
        READING("Reading"),
        CLOSED("Closed"),
        RECALLED("Recalled"),
        CLOSING("Closing"),
        WRITING("Writing"),
        RETURNING("Returning");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private record Waiter(WaiterId id, boolean toWrite) {}

    /** A request, or the permission that was granted to it. */
    private record Numbered(long number, boolean toWrite) {
        static final Numbered NONE = new Numbered(0, false);
    }

    private final class Lock {
        final ReadWriteLockId id;
        final NodeId manager;
        final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
        State state = State.AWAY;
        Optional<Numbered> asked = Optional.empty();
        Numbered has = Numbered.NONE;
        boolean isRecalled; // what it has
        boolean keepsReading; // of use in Returning
        final ArrayDeque<ReadWriteMessage> kept = new ArrayDeque<>(); // while it returns to read
        long lastNumber;
        VectorTimestamp released = views.of(MappingId.ALL); // who enters must have seen it
        ViewMark mark = ViewMark.NOTHING; // the name of this view

        Lock(ReadWriteLockId id) {
            this.id = id;
            this.manager = id.manager(nodes);
        }

        boolean isWriterFirst() {
            return !waiters.isEmpty() && waiters.element().toWrite();
        }

        ProtocolViolation violation(Object event) {
            return new ProtocolViolation(
                    "reader-writer lock=" + id + " state=" + state + " event=" + event);
        }
    }

    private final NodeId self;
    private final int nodes;
    private final Releases releases;
    private final Acquires acquires;
    private final CargoHold cargo;
    private final ProcessViews views;
    private final boolean ordersLoads;
    private final Map<ReadWriteLockId, Lock> locks = new LinkedHashMap<>();

    /**
     * @param ordersLoads whether a writer is told what readers before it have loaded
     */
    public ReadWriteLocks(
            NodeId self,
            int nodes,
            Releases releases,
            Acquires acquires,
            CargoHold cargo,
            ProcessViews views,
            boolean ordersLoads) {
        this.self = self;
        this.nodes = nodes;
        this.releases = releases;
        this.acquires = acquires;
        this.cargo = cargo;
        this.views = views;
        this.ordersLoads = ordersLoads;
    }

    public void onPermissionCalled(Event.PermissionCalled call, Effects out) {
        Lock lock = lock(call.lock());
        out.count(NodeCounter.LOCK_CALLS);
        if (lock.waiters.size() == WAITERS_MAX || lock.state == State.CLOSING) {
            throw lock.violation(call);
        }
        lock.waiters.add(new Waiter(call.waiter(), call.toWrite()));
        if (call.timeoutNanos() >= 0) {
            out.armTimer(new TimerId.WaitOver(call.waiter()), call.timeoutNanos());
        }
        if (lock.state != State.READING) {
            ask(lock, out);
        } else if (call.toWrite()) {
            close(lock, out);
        } else {
            letIn(lock, out);
        }
    }

    /** Lets a reader go on that has entered in shared memory. */
    public void onLocalReadCalled(Event.LocalReadCalled call, Effects out) {
        views.begin(new GatedAcquire.Entry(call.waiter()), lock(call.lock()).released, out);
    }

    public void onGrant(ReadWriteGrant grant, Effects out) {
        Lock lock = lock(grant.lock());
        if (keeps(lock, grant)) {
            return;
        }
        Numbered granted = new Numbered(grant.number(), grant.toWrite());
        boolean isAskedFor = lock.asked.filter(granted::equals).isPresent();
        if (isAskedFor) {
            lock.asked = Optional.empty();
        }
        switch (lock.state) {
            case AWAY, ASKED -> {
                if (isAskedFor) {
                    lock.has = granted;
                    lock.isRecalled = false;
                    lock.state = State.ACQUIRING;
                    acquires.begin(new GatedAcquire.Permission(lock.id), grant.cargo(), out);
                } else {
                    giveBack(lock, grant.number(), out);
                }
            }
            case READING, CLOSED, RECALLED -> renew(lock, granted, out);
            case ACQUIRING, CLOSING, WRITING, RETURNING -> throw lock.violation(grant);
        }
    }

    /** Keeps a message that crosses the return of permission to read. */
    private static boolean keeps(Lock lock, ReadWriteMessage message) {
        boolean keeps = lock.state == State.RETURNING && !lock.has.toWrite();
        if (keeps) {
            lock.kept.add(message);
        }
        return keeps;
    }

    private void processKept(Lock lock, Effects out) {
        for (int left = lock.kept.size(); left > 0; left--) {
            switch (lock.kept.remove()) {
                case ReadWriteGrant grant -> onGrant(grant, out);
                case ReadWriteRecall recall -> onRecall(recall, out);
                case ReadWriteMessage other -> throw lock.violation(other);
            }
        }
    }

    /** Replaces a permission to read by another one, without an acquire. */
    private void renew(Lock lock, Numbered granted, Effects out) {
        if (granted.toWrite()) {
            throw lock.violation(granted);
        }
        lock.has = granted;
        lock.isRecalled = false;
        if (lock.state == State.RECALLED) {
            letIn(lock, out);
        }
    }

    public void onRecall(ReadWriteRecall recall, Effects out) {
        Lock lock = lock(recall.lock());
        if (keeps(lock, recall)) {
            return;
        }
        if (recall.number() != lock.has.number()) {
            return; // returned, and the recall crossed that
        }
        switch (lock.state) {
            case ACQUIRING, CLOSING -> lock.isRecalled = true;
            case READING -> {
                lock.isRecalled = true;
                close(lock, out);
            }
            case CLOSED -> {
                lock.isRecalled = true;
                lock.state = State.RECALLED;
            }
            case AWAY, ASKED, RECALLED, WRITING, RETURNING -> throw lock.violation(recall);
        }
    }

    /** Lets the first waiters in, because the stores of the last writers are visible here. */
    public void onAcquirePerformed(GatedAcquire.Permission permission, Effects out) {
        Lock lock = lock(permission.lock());
        if (lock.state != State.ACQUIRING) {
            throw lock.violation(permission);
        }
        mark(MappingId.ALL, lock);
        if (!lock.has.toWrite()) {
            letIn(lock, out);
        } else if (lock.isWriterFirst()) {
            lock.state = State.WRITING;
            enter(lock, lock.waiters.remove(), out);
            ask(lock, out);
        } else {
            giveBack(lock, lock.has.number(), out);
            gone(lock, out);
        }
    }

    /** Resumes a thread, because its process has seen what the others of the node have. */
    public void onAcquirePerformed(GatedAcquire.Entry entry, Effects out) {
        out.cancelTimer(new TimerId.WaitOver(entry.waiter()));
        out.resumeWaiter(entry.waiter(), Outcome.DONE);
    }

    public void onWriteReleased(Event.WriteReleased call, Effects out) {
        Lock lock = lock(call.lock());
        if (lock.state != State.WRITING) {
            throw lock.violation(call);
        }
        mark(call.process(), lock);
        lock.keepsReading = call.keepsReading();
        lock.state = State.RETURNING;
        releases.begin(new GatedRelease.Permission(lock.id), out);
    }

    /** Returns the permission to write, because every dirty page is flushed. */
    public void onReleasePerformed(GatedRelease.Permission leaving, Effects out) {
        Lock lock = lock(leaving.lock());
        if (lock.state != State.RETURNING) {
            throw lock.violation(leaving);
        }
        Cargo along = cargo.onSend(lock.manager, out);
        long number = lock.has.number();
        out.send(lock.manager, new ReadWriteReturn(lock.id, number, lock.keepsReading, along));
        if (lock.keepsReading) {
            letIn(lock, out); // it was not recalled: managers recall no writer
        } else {
            gone(lock, out);
            processKept(lock, out);
        }
    }

    public void onReadersLeft(Event.ReadersLeft left, Effects out) {
        Lock lock = lock(left.lock());
        switch (lock.state) {
            case CLOSED, RECALLED -> close(lock, out);
            case AWAY, ASKED, ACQUIRING, READING, WRITING, RETURNING -> {} // of an earlier one
            case CLOSING -> throw lock.violation(left);
        }
    }

    public void onReadersClosed(Event.ReadersClosed closed, Effects out) {
        Lock lock = lock(closed.lock());
        if (lock.state != State.CLOSING) {
            throw lock.violation(closed);
        }
        if (closed.readers() == 0 && ordersLoads) {
            lock.keepsReading = false;
            lock.state = State.RETURNING;
            releases.begin(new GatedRelease.Permission(lock.id), out);
            return;
        }
        if (closed.readers() == 0) {
            giveBack(lock, lock.has.number(), out);
            gone(lock, out);
            return;
        }
        lock.state = lock.isRecalled ? State.RECALLED : State.CLOSED;
        if (lock.isRecalled || lock.isWriterFirst()) {
            ask(lock, out);
        } else {
            letIn(lock, out);
        }
    }

    /**
     * Ends the wait of a waiter.
     *
     * @return true if the waiter was waiting for this lock
     */
    public boolean giveUp(ReadWriteLockId id, WaiterId waiter, boolean timedOut, Effects out) {
        Lock lock = lock(id);
        if (!lock.waiters.removeIf(each -> each.id().equals(waiter))) {
            return false;
        }
        out.cancelTimer(new TimerId.WaitOver(waiter));
        out.resumeWaiter(waiter, timedOut ? new Outcome.TimedOut(whoHas(lock)) : Outcome.CANCELLED);
        if (lock.state == State.CLOSED && !lock.isWriterFirst()) {
            letIn(lock, out);
        } else {
            ask(lock, out);
        }
        return true;
    }

    /** The lock's state, by its name in the table above. */
    public String stateOf(ReadWriteLockId id) {
        Lock lock = locks.get(id);
        return (lock == null ? State.AWAY : lock.state).word;
    }

    /** The number of the request that is outstanding; 0 if none is. For checkers. */
    public long askedNumber(ReadWriteLockId id) {
        Lock lock = locks.get(id);
        return lock == null ? 0 : lock.asked.map(Numbered::number).orElse(0L);
    }

    /** The number of the permission that the node has; 0 if it has none. For checkers. */
    public long permissionNumber(ReadWriteLockId id) {
        Lock lock = locks.get(id);
        return lock == null ? 0 : lock.has.number();
    }

    /** The number of threads that wait. For checkers. */
    public int waiters(ReadWriteLockId id) {
        Lock lock = locks.get(id);
        return lock == null ? 0 : lock.waiters.size();
    }

    /** True if the thread that has waited longest wants to write. For checkers. */
    public boolean isWriterFirst(ReadWriteLockId id) {
        Lock lock = locks.get(id);
        return lock != null && lock.isWriterFirst();
    }

    private String whoHas(Lock lock) {
        String where =
                switch (lock.state) {
                    case AWAY, ASKED ->
                            "other nodes have it, which node " + lock.manager + " manages";
                    case ACQUIRING -> "permission has just arrived at node " + self;
                    case READING, CLOSED, RECALLED, CLOSING -> "threads of node " + self + " read";
                    case WRITING, RETURNING -> "a thread of node " + self + " writes";
                };
        return "reader-writer lock '" + lock.id + "': " + where;
    }

    private Lock lock(ReadWriteLockId id) {
        return locks.computeIfAbsent(id, Lock::new);
    }

    /** Records what threads must have seen before they enter. */
    private void mark(MappingId process, Lock lock) {
        if (views.areSeveral()) {
            lock.released = views.of(process);
            lock.mark = views.mark(process);
        }
    }

    private void close(Lock lock, Effects out) {
        lock.state = State.CLOSING;
        out.closeReaders(lock.id);
    }

    private void giveBack(Lock lock, long number, Effects out) {
        out.send(lock.manager, new ReadWriteReturn(lock.id, number, false, Cargo.NONE));
    }

    /** The node has no permission any more. */
    private void gone(Lock lock, Effects out) {
        lock.has = Numbered.NONE;
        lock.state = State.AWAY;
        ask(lock, out);
    }

    /** Admits the readers at the head of the queue, and all others if nobody else waits. */
    private void letIn(Lock lock, Effects out) {
        int admitted = 0;
        for (Waiter each : lock.waiters) {
            if (each.toWrite()) {
                break;
            }
            admitted++;
        }
        boolean isOpen = !lock.isRecalled && admitted == lock.waiters.size();
        if (admitted > 0 || isOpen) {
            out.admitReaders(lock.id, admitted, isOpen, lock.mark);
        }
        lock.state = isOpen ? State.READING : lock.isRecalled ? State.RECALLED : State.CLOSED;
        for (int i = 0; i < admitted; i++) {
            enter(lock, lock.waiters.remove(), out);
        }
        if (admitted == 0 && !isOpen) {
            close(lock, out);
        } else {
            ask(lock, out);
        }
    }

    private void enter(Lock lock, Waiter waiter, Effects out) {
        if (views.covers(waiter.id().mapping(), lock.released)) {
            out.cancelTimer(new TimerId.WaitOver(waiter.id()));
            out.resumeWaiter(waiter.id(), Outcome.DONE);
        } else {
            views.begin(new GatedAcquire.Entry(waiter.id()), lock.released, out);
        }
    }

    /** Keeps one request outstanding: for the first waiter, unless it may be let in here. */
    private void ask(Lock lock, Effects out) {
        boolean isOfUse =
                lock.asked.isPresent()
                        && !lock.waiters.isEmpty()
                        && lock.asked.get().toWrite() == lock.isWriterFirst();
        if (lock.asked.isPresent() && !isOfUse) {
            long number = lock.asked.get().number();
            lock.asked = Optional.empty();
            out.send(lock.manager, new ReadWriteCancel(lock.id, number));
        }
        boolean mayAsk = lock.state != State.ACQUIRING && lock.state != State.CLOSING;
        if (lock.asked.isEmpty() && !lock.waiters.isEmpty() && mayAsk) {
            Numbered request = new Numbered(++lock.lastNumber, lock.isWriterFirst());
            lock.asked = Optional.of(request);
            out.send(
                    lock.manager,
                    new ReadWriteRequest(lock.id, request.number(), request.toWrite()));
        }
        if (lock.state == State.AWAY || lock.state == State.ASKED) {
            lock.state = lock.asked.isPresent() ? State.ASKED : State.AWAY;
        }
    }
}
