package io.muninn.sync;

import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
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
import io.muninn.sync.SyncMessage.LockGrant;
import io.muninn.sync.SyncMessage.LockRequest;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Locks of one node: a token and a distributed queue per lock, located by probable owners. Each
 * node knows at most the node that follows it; a later request is forwarded to the end of the
 * queue.
 *
 * <p>While no thread waits, the token is <em>lent</em> to the application: its threads take and
 * free the lock by a compare-and-set on a word in shared memory, without a message or a call. A
 * waiter, local or remote, makes the agent reclaim it.
 *
 * <p>Source: Munin §3.5.1. Departure: at most {@link #LOCAL_HANDOVERS_MAX} local waiters are served
 * while another node waits.
 *
 * <pre>
 *            AcquireCalled      ReleaseCalled     LockRequest              LockGrant
 * Away       ask, →Asked        impossible        forward, hint:=asker     impossible
 * Asked      wait               impossible        follow (1)               acquire, →Acquiring
 * Acquiring  wait               impossible        follow (1)               impossible
 * Kept       hand on (2)        impossible        follow, hand on          impossible
 * Lent       reclaim            impossible        follow, reclaim          impossible
 * Wanted     wait               hand on (2)       follow (1)               impossible
 * Passing    wait               impossible        forward, hint:=asker     impossible
 *
 *            LockReclaimed               release performed       wait over or cancelled
 * Away       impossible                  impossible              ignore
 * Asked      impossible                  impossible              leave the queue (3)
 * Acquiring  impossible                  impossible              leave the queue (3)
 * Kept       impossible                  impossible              ignore
 * Lent       impossible                  impossible              ignore
 * Reclaiming taken: hand on (2),         impossible              impossible (4)
 *            else →Wanted
 * Wanted     impossible                  impossible              leave the queue
 * Passing    impossible                  grant, →Away or →Asked  leave the queue
 *
 *            acquire performed
 * Away       impossible
 * Asked      impossible
 * Acquiring  hand on (2)
 * Kept       impossible
 * Lent       impossible
 * Reclaiming impossible
 * Wanted     impossible
 * Passing    impossible
 *
 * (1) the first follower is recorded; a later request is forwarded to the hint; hint:=asker
 * (2) to a local waiter: →Wanted, or →Lent if there is no other waiter; but if its process has seen
 *     less than the last holder: acquire for it, →Acquiring; to the follower: flush, →Passing;
 *     otherwise: →Lent
 * (3) the token still arrives, is acquired, and is then passed on or lent
 * (4) the result of a reclaim arrives before the next outside event
 * </pre>
 */
public final class LockManager {
    /** Largest number of local waiters served before a remote one that waits. */
    public static final int LOCAL_HANDOVERS_MAX = 16;

    private static final int WAITERS_MAX = 1 << 16;

    enum State {
        AWAY("Away"),
        ASKED("Asked"),
        ACQUIRING("Acquiring"),
        KEPT("Kept"),
        LENT("Lent"),
        RECLAIMING("Reclaiming"),
        WANTED("Wanted"),
        PASSING("Passing");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private record Follower(NodeId node, Cargo request) {}

    private final class Lock {
        final LockId id;
        VectorTimestamp released = views.of(MappingId.ALL); // the next holder must have seen it
        ViewMark mark = ViewMark.NOTHING; // the name of this view
        State state;
        NodeId hint = NodeId.ROOT;
        Optional<Follower> follower = Optional.empty();
        int handovers;
        final ArrayDeque<WaiterId> waiters = new ArrayDeque<>();

        Lock(LockId id, State state) {
            this.id = id;
            this.state = state;
        }

        ProtocolViolation violation(Object event) {
            return new ProtocolViolation("lock=" + id + " state=" + state + " event=" + event);
        }
    }

    private final NodeId self;
    private final Releases releases;
    private final Acquires acquires;
    private final CargoHold cargo;
    private final SectionPages pages;
    private final ProcessViews views;
    private final Map<LockId, Lock> locks = new LinkedHashMap<>();

    public LockManager(
            NodeId self,
            Releases releases,
            Acquires acquires,
            CargoHold cargo,
            SectionPages pages,
            ProcessViews views) {
        this.self = self;
        this.views = views;
        this.releases = releases;
        this.acquires = acquires;
        this.cargo = cargo;
        this.pages = pages;
    }

    public void onAcquireCalled(Event.AcquireCalled call, Effects out) {
        Lock lock = lock(call.lock());
        out.count(NodeCounter.LOCK_CALLS);
        if (lock.waiters.size() == WAITERS_MAX) {
            throw lock.violation(call);
        }
        lock.waiters.add(call.waiter());
        if (call.timeoutNanos() >= 0) {
            out.armTimer(new TimerId.WaitOver(call.waiter()), call.timeoutNanos());
        }
        switch (lock.state) {
            case AWAY -> ask(lock, out);
            case KEPT -> handOn(lock, out);
            case LENT -> reclaim(lock, out);
            case ASKED, ACQUIRING, WANTED, PASSING -> {} // waits its turn
            case RECLAIMING -> throw lock.violation(call);
        }
    }

    public void onReleaseCalled(Event.ReleaseCalled call, Effects out) {
        Lock lock = lock(call.lock());
        if (lock.state != State.WANTED) {
            throw lock.violation("ReleaseCalled");
        }
        releasedBy(call.process(), lock);
        handOn(lock, out);
    }

    /** Records the process that has held a lock last. */
    private void releasedBy(MappingId process, Lock lock) {
        if (views.areSeveral()) {
            lock.released = views.of(process);
            lock.mark = views.mark(process);
        }
    }

    /** Lets a thread go on with a lock that it has taken in shared memory. */
    public void onLocalAcquireCalled(Event.LocalAcquireCalled call, Effects out) {
        VectorTimestamp released =
                call.releaser().equals(MappingId.ALL)
                        ? lock(call.lock()).released
                        : views.of(call.releaser());
        views.begin(new GatedAcquire.Local(call.waiter()), released, out);
    }

    public void onAcquirePerformed(GatedAcquire.Local acquire, Effects out) {
        out.resumeWaiter(acquire.waiter(), Outcome.DONE);
    }

    public void onLockReclaimed(Event.LockReclaimed reclaimed, Effects out) {
        Lock lock = lock(reclaimed.lock());
        if (lock.state != State.RECLAIMING) {
            throw lock.violation(reclaimed);
        }
        if (reclaimed.taken()) {
            if (!reclaimed.releaser().equals(MappingId.ALL)) {
                releasedBy(reclaimed.releaser(), lock);
            }
            handOn(lock, out);
        } else {
            lock.state = State.WANTED;
        }
    }

    public void onLockRequest(LockRequest request, Effects out) {
        Lock lock = lock(request.lock());
        if (request.asker().equals(self)) {
            throw lock.violation(request);
        }
        switch (lock.state) {
            case AWAY, PASSING -> forward(lock, request, out);
            case ASKED, ACQUIRING, WANTED -> follow(lock, request, out);
            case KEPT -> {
                follow(lock, request, out);
                handOn(lock, out);
            }
            case LENT -> {
                follow(lock, request, out);
                reclaim(lock, out);
            }
            case RECLAIMING -> throw lock.violation(request);
        }
    }

    public void onLockGrant(LockGrant grant, Effects out) {
        Lock lock = lock(grant.lock());
        if (lock.state != State.ASKED) {
            throw lock.violation(grant);
        }
        lock.state = State.ACQUIRING;
        pages.granted(lock.id, grant.cargo().of(Cargo.SECTION_CODE));
        acquires.begin(new GatedAcquire.Token(lock.id), grant.cargo(), out);
    }

    /** Makes the lock available, because the stores of its last holders are visible here. */
    public void onAcquirePerformed(GatedAcquire.Token token, Effects out) {
        Lock lock = lock(token.lock());
        if (lock.state != State.ACQUIRING) {
            throw lock.violation(token);
        }
        lock.handovers = 0;
        releasedBy(MappingId.ALL, lock);
        handOn(lock, out);
    }

    /** Hands a lock to a thread of the process that has acquired, if one still waits. */
    public void onAcquirePerformed(GatedAcquire.Handover handover, Effects out) {
        Lock lock = lock(handover.lock());
        if (lock.state != State.ACQUIRING) {
            throw lock.violation(handover);
        }
        handOn(lock, out);
    }

    /** Sends the token, because every dirty page is flushed. */
    public void onReleasePerformed(GatedRelease.Token token, Effects out) {
        Lock lock = lock(token.lock());
        if (lock.state != State.PASSING || lock.follower.isEmpty()) {
            throw lock.violation(token);
        }
        Follower follower = lock.follower.get();
        lock.follower = Optional.empty();
        out.count(NodeCounter.TOKENS_PASSED);
        Bytes section = pages.passing(lock.id, follower.node(), out);
        Cargo grant =
                cargo.onGrant(lock.id, follower.node(), follower.request(), out)
                        .with(Cargo.SECTION_CODE, section);
        out.send(follower.node(), new LockGrant(lock.id, grant));
        if (lock.waiters.isEmpty()) {
            lock.state = State.AWAY;
        } else {
            ask(lock, out);
        }
    }

    /**
     * Ends the wait of a waiter. Its node remains in the queue, and passes the token on when it
     * arrives.
     *
     * @return true if the waiter was waiting for this lock
     */
    public boolean giveUp(LockId id, WaiterId waiter, boolean timedOut, Effects out) {
        Lock lock = lock(id);
        if (!lock.waiters.remove(waiter)) {
            return false;
        }
        out.cancelTimer(new TimerId.WaitOver(waiter));
        out.resumeWaiter(waiter, timedOut ? new Outcome.TimedOut(whoHas(lock)) : Outcome.CANCELLED);
        return true;
    }

    /** The lock's state, by its name in the table above. */
    public String stateOf(LockId id) {
        Lock lock = locks.get(id);
        return (lock == null ? initial() : lock.state).word;
    }

    private String whoHas(Lock lock) {
        String where =
                switch (lock.state) {
                    case AWAY, ASKED ->
                            "its token is on another node, last heard of at node " + lock.hint;
                    case ACQUIRING -> "its token has just arrived at node " + self;
                    case PASSING -> "its token is on its way from node " + self;
                    case KEPT, LENT, RECLAIMING, WANTED -> "a thread of node " + self + " holds it";
                };
        return "lock '" + lock.id + "': " + where;
    }

    private Lock lock(LockId id) {
        return locks.computeIfAbsent(id, _ -> new Lock(id, initial()));
    }

    private State initial() {
        return self.isRoot() ? State.KEPT : State.AWAY;
    }

    private void ask(Lock lock, Effects out) {
        lock.state = State.ASKED;
        out.send(lock.hint, new LockRequest(lock.id, self, cargo.onLockRequest(lock.id, out)));
    }

    private void reclaim(Lock lock, Effects out) {
        lock.state = State.RECLAIMING;
        out.reclaimLock(lock.id);
    }

    private void follow(Lock lock, LockRequest request, Effects out) {
        if (lock.follower.isPresent()) {
            forward(lock, request, out);
            return;
        }
        lock.follower = Optional.of(new Follower(request.asker(), request.cargo()));
        lock.hint = request.asker();
    }

    private void forward(Lock lock, LockRequest request, Effects out) {
        out.count(NodeCounter.FORWARDS);
        out.send(lock.hint, request);
        lock.hint = request.asker();
    }

    /**
     * Passes on the token, which the agent has: to a local waiter or to the follower; otherwise
     * lends it.
     */
    private void handOn(Lock lock, Effects out) {
        boolean remoteFirst = lock.waiters.isEmpty() || lock.handovers >= LOCAL_HANDOVERS_MAX;
        if (lock.follower.isPresent() && remoteFirst) {
            lock.state = State.PASSING;
            releases.begin(new GatedRelease.Token(lock.id, lock.follower.get().node()), out);
            return;
        }
        if (lock.waiters.isEmpty()) {
            lock.state = State.LENT;
            lock.handovers = 0;
            if (views.areSeveral()) {
                out.markLock(lock.id, lock.mark);
            }
            out.lendLock(lock.id, false, false);
            return;
        }
        MappingId to = lock.waiters.element().mapping();
        if (!views.covers(to, lock.released)) {
            lock.state = State.ACQUIRING;
            views.begin(new GatedAcquire.Handover(lock.id, to), lock.released, out);
            return;
        }
        WaiterId next = lock.waiters.remove();
        lock.handovers = lock.follower.isPresent() ? lock.handovers + 1 : 0;
        boolean wanted = !lock.waiters.isEmpty() || lock.follower.isPresent();
        lock.state = wanted ? State.WANTED : State.LENT;
        out.lendLock(lock.id, true, wanted); // before the waiter runs and may release
        out.cancelTimer(new TimerId.WaitOver(next));
        out.resumeWaiter(next, Outcome.DONE);
    }
}
