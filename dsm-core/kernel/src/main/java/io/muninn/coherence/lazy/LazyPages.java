package io.muninn.coherence.lazy;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.lazy.Lazy.State;
import io.muninn.coherence.lazy.Lazy.Wanted;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.IntervalDiff;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The pages of one node: which diffs its copy contains ({@link DirectoryEntry#applied}), which it
 * must contain before threads may use it, its need, and the fetches of what it lacks.
 */
final class LazyPages {
    /**
     * A diff that waits until all have arrived.
     *
     * @param rank smaller than that of any diff that happened after it
     */
    private record Arrived(long rank, NodeId writer, long keep) {
        static final Comparator<Arrived> HAPPENED_BEFORE =
                Comparator.comparingLong(Arrived::rank)
                        .thenComparing(Arrived::writer)
                        .thenComparingLong(Arrived::keep);
    }

    private static final class Fetch {
        final List<Arrived> diffs = new ArrayList<>();
        AppliedDiffs arrived = AppliedDiffs.EMPTY;
        int unanswered; // requests
    }

    private final Context context;
    private final NodeId self;
    private final OpenInterval interval;
    private final Directory<State> directory;
    private final PageMap<AppliedDiffs> needs = new PageMap<>();
    private final PageMap<Fetch> fetches = new PageMap<>();
    private long keeps; // numbers the diffs that arrive
    private boolean isSealed;

    LazyPages(Context context, OpenInterval interval) {
        this.context = context;
        this.self = context.self();
        this.interval = interval;
        this.directory = new Directory<>(self, () -> self.isRoot() ? State.IDLE : State.ABSENT);
    }

    void add(RegionSpec region) {
        directory.add(region);
    }

    DirectoryEntry<State> entry(PageId page) {
        return directory.entry(page);
    }

    DirectoryEntry<State> peek(PageId page) {
        return directory.peek(page);
    }

    AppliedDiffs need(PageId page) {
        AppliedDiffs need = needs.get(page);
        return need == null ? AppliedDiffs.EMPTY : need;
    }

    /** The page must contain this, too. */
    void needMore(PageId page, AppliedDiffs more) {
        needs.put(page, need(page).join(more));
    }

    /** True if the copy contains what it must. */
    private boolean isCurrent(DirectoryEntry<State> entry) {
        return entry.applied().covers(need(entry.page()));
    }

    boolean isSealed() {
        return isSealed;
    }

    /** The root's initialization is over: from now on stores are noticed. */
    void seal(Effects out) {
        isSealed = true;
        Withdrawals initial = new Withdrawals(out);
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Initial) {
                entry.become(new State.Clean(0));
                initial.add(entry.page());
            }
        });
        initial.end();
    }

    /** On the root, after the initialization: a page that nobody has touched. */
    void openIdle(DirectoryEntry<State> entry, boolean store, Effects out) {
        if (isCurrent(entry)) {
            open(entry, store, 0, out);
        } else {
            out.installPage(entry.page(), Payload.ZERO_PAGE, PageAccess.NONE);
            fetch(entry, Wanted.NOTHING.join(store), out);
        }
    }

    /** Asks the root for a first copy. */
    void fetchImage(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Fetching(wanted, 0));
        out.send(NodeId.ROOT, new ImageRequest(entry.page()));
    }

    /** Asks the writers, in parallel, for the diffs that the copy lacks. */
    void fetch(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Fetching(wanted, 0));
        request(entry, out);
    }

    /**
     * Asks for what a page that is being fetched lacks.
     *
     * @return true if it lacks nothing
     */
    boolean request(DirectoryEntry<State> entry, Effects out) {
        PageId page = entry.page();
        Fetch fetch = fetches.get(page);
        if (fetch == null) {
            fetch = new Fetch();
            fetches.put(page, fetch);
        }
        AppliedDiffs here = entry.applied().join(fetch.arrived);
        for (AppliedDiffs.Last needed : need(page).last()) {
            long after = here.interval(needed.node());
            if (needed.interval() > after) {
                ProtocolViolation.check(!needed.node().equals(self), entry, "request");
                fetch.unanswered++;
                out.send(needed.node(), new DiffRequest(page, after, needed.interval()));
            }
        }
        return fetch.unanswered == 0;
    }

    /**
     * Keeps what a writer has sent.
     *
     * @return true if nothing is missing any more
     */
    boolean onDiffReply(NodeId writer, DirectoryEntry<State> entry, DiffReply reply, Effects out) {
        PageId page = entry.page();
        Fetch fetch = fetches.get(page);
        if (fetch == null || fetch.unanswered == 0) {
            throw new ProtocolViolation(entry, reply);
        }
        for (IntervalDiff each : reply.diffs()) {
            keeps++;
            out.keepDiff(page, keeps, each.diff());
            fetch.diffs.add(new Arrived(rank(each.timestamp()), writer, keeps));
        }
        fetch.arrived = fetch.arrived.with(writer, reply.through());
        fetch.unanswered--;
        return fetch.unanswered == 0 && request(entry, out);
    }

    /** The sum of the components grows along every chain of what happened before what. */
    private static long rank(VectorTimestamp timestamp) {
        long sum = 0;
        for (int i = 0; i < timestamp.nodes(); i++) {
            sum += timestamp.of(NodeId.of(i));
        }
        return sum;
    }

    /** Applies all that has arrived, in an order in which it may have happened. */
    void applyFetched(DirectoryEntry<State> entry, Effects out) {
        PageId page = entry.page();
        Fetch fetch = fetches.remove(page);
        if (fetch == null) {
            throw new ProtocolViolation(entry, "fetched");
        }
        fetch.diffs.sort(Arrived.HAPPENED_BEFORE);
        for (Arrived each : fetch.diffs) {
            out.applyDiff(page, new Payload.KeptDiff(page, each.keep()));
        }
        entry.applied(entry.applied().join(fetch.arrived));
    }

    /** A thread joins those that wait; what they wait for does not come once the run is over. */
    void join(DirectoryEntry<State> entry, State joined, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
        } else {
            entry.become(joined);
        }
    }

    /** Threads go on with a page that is current. */
    void open(DirectoryEntry<State> entry, boolean store, long heldUntilNanos, Effects out) {
        if (store) {
            out.makeTwin(entry.page());
            becomeDirty(entry, heldUntilNanos, out);
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        } else {
            entry.become(new State.Clean(heldUntilNanos));
            out.resumeFault(entry.page(), PageAccess.READ);
        }
    }

    void becomeDirty(DirectoryEntry<State> entry, long heldUntilNanos, Effects out) {
        entry.become(new State.Dirty(heldUntilNanos));
        interval.storedTo(entry.page());
        out.count(NodeCounter.TWINS_MADE);
    }

    /** What threads wait for does not come any more. */
    void poisonWaiting(Effects out) {
        directory.forEach(entry -> {
            if (waiting(entry.state()) != Wanted.NOTHING) {
                out.poison(entry.page());
            }
        });
    }

    private static Wanted waiting(State state) {
        return switch (state) {
            case State.Fetching(Wanted wanted, int _) -> wanted;
            case State.Withdrawing(Wanted wanted) -> wanted;
            case State.Closing(Wanted wanted, long _) -> wanted;
            case State.Absent(),
                    State.Clean _,
                    State.Dirty _,
                    State.Stale(),
                    State.Idle(),
                    State.Initial() ->
                    Wanted.NOTHING;
        };
    }
}
