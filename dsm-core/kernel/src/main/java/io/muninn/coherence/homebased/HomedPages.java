package io.muninn.coherence.homebased;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFound;
import io.muninn.coherence.homebased.HomeBasedMessages.NeededPage;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.coherence.shared.HotPages;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.List;

/**
 * The pages of one node: the home of each, the content of its copy ({@link
 * DirectoryEntry#applied}), and its need, which is the content that the copy must have before
 * threads may use it.
 */
class HomedPages {
    final Context context;
    private final NodeId self;
    final OpenInterval interval;
    final Directory<State> directory;
    final ReadAhead readAhead;
    private final Homes homes;
    private final PageMap<AppliedDiffs> needs = new PageMap<>();
    private final AppliedDiffs.Sharing sharing = new AppliedDiffs.Sharing();
    private final HotPages hot;
    private boolean isSealed;

    HomedPages(Context context, OpenInterval interval) {
        this.readAhead = new ReadAhead(context);
        this.context = context;
        this.self = context.self();
        this.interval = interval;
        this.homes = new Homes(context);
        this.hot = new HotPages(context, 1); // readers receive notices of stores that may not exist
        this.directory = new Directory<>(self, () -> self.isRoot() ? State.IDLE : State.ABSENT);
    }

    void add(RegionSpec region) {
        directory.add(region);
    }

    /** The probable owner of an entry is the home of its page. */
    DirectoryEntry<State> entry(PageId page) {
        return homed(directory.entry(page));
    }

    /** As {@link #entry}, but creates no entry. */
    DirectoryEntry<State> peek(PageId page) {
        return homed(directory.peek(page));
    }

    private DirectoryEntry<State> homed(DirectoryEntry<State> entry) {
        entry.probableOwner(homes.of(entry.page()));
        if (entry.state() == State.ABSENT && entry.isOwnedBy(self)) {
            entry.become(State.UNFILLED);
        }
        return entry;
    }

    /** Ends the stores to a page at its home. They are not compared with a twin. */
    void closeHome(DirectoryEntry<State> entry, Effects out) {
        if (hot.staysWritable(entry.page(), context.clock().interval(), out)) {
            interval.storedTo(entry.page());
        } else {
            entry.become(State.HOME_CLEAN);
            out.setAccess(entry.page(), PageAccess.READ);
        }
    }

    /** Withdraws the page from the threads of its home, for an acquire. */
    void withdrawHome(DirectoryEntry<State> entry) {
        hot.withdrawn(entry.page());
        entry.become(new State.HomeWithdrawing(Wanted.NOTHING));
    }

    boolean isHome(PageId page) {
        return homes.of(page).equals(self);
    }

    Homes homes() {
        return homes;
    }

    /**
     * Records that a node has all flushes of this node for a page, which makes it the page's home.
     */
    void found(DirectoryEntry<State> entry, NodeId home) {
        if (homes.isOpen(entry.page()) && !home.isRoot()) { // the root replies before it decides
            homes.decide(entry.page(), home);
        }
    }

    /**
     * Records that the home of some pages has applied a flush of this node. That is the latest one
     * unless others followed.
     */
    void found(NodeId home, HomeFound found) {
        for (PageId page : found.pages()) {
            if (need(page).interval(self) == found.interval()) {
                found(entry(page), home);
            }
        }
    }

    AppliedDiffs need(PageId page) {
        AppliedDiffs need = needs.get(page);
        return need == null ? AppliedDiffs.EMPTY : need;
    }

    /** Adds flushes to those that the page must contain before a process may use it. */
    void needMore(MappingId of, PageId page, AppliedDiffs more) {
        needs.put(page, sharing.join(need(page), more));
    }

    /**
     * Records that this node's flush of an interval is in its copy, and must be in any later copy.
     */
    void flushed(DirectoryEntry<State> entry, long ended) {
        entry.applied(entry.applied().with(self, ended));
        AppliedDiffs before = needs.get(entry.page());
        needs.put(entry.page(), (before == null ? AppliedDiffs.EMPTY : before).with(self, ended));
    }

    /** True if the copy contains everything that it must. */
    boolean isCurrent(DirectoryEntry<State> entry) {
        return entry.applied().covers(need(entry.page()));
    }

    /** True if the copy contains everything that it must before a process may use it. */
    boolean isCurrent(DirectoryEntry<State> entry, MappingId of) {
        return isCurrent(entry);
    }

    boolean isSealed() {
        return isSealed;
    }

    /** Ends the root's initialization: from now on stores are announced by write notices. */
    void seal(Effects out) {
        isSealed = true;
        Withdrawals initial = new Withdrawals(out);
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Initial) {
                out.pageEvent(entry.page(), "Sealed");
                entry.become(isHome(entry.page()) ? State.HOME_CLEAN : new State.Clean(0));
                initial.add(entry.page());
            }
        });
        initial.end();
    }

    /** Requests the page from its home. With the first store to the page, claims to be its home. */
    void ask(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        // no notice has announced a store
        boolean isUnknown = entry.state() instanceof State.Absent;
        boolean claims = isUnknown && wanted == Wanted.STORE && homes.isOpen(entry.page());
        entry.become(new State.Fetching(wanted, 0));
        request(entry, claims, out);
    }

    void request(DirectoryEntry<State> entry, boolean claims, Effects out) {
        NeededPage needed = new NeededPage(entry.page(), claims, need(entry.page()));
        out.send(entry.probableOwner(), new VersionRequest(self, List.of(needed)));
    }

    /**
     * Adds a thread to those that wait for a page. Poisons the page once the run is over, because
     * no reply arrives then.
     */
    void join(DirectoryEntry<State> entry, State joined, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
        } else {
            entry.become(joined);
        }
    }

    /** Lets the threads that wait use the copy, which is current. */
    void admit(DirectoryEntry<State> entry, Wanted wanted, long heldUntilNanos, Effects out) {
        open(entry, out.mapping(), wanted == Wanted.STORE, heldUntilNanos, out);
    }

    /** Lets the threads that wait use the copy if more of them may now. */
    void readmit(DirectoryEntry<State> entry, Effects out) {}

    /** Lets threads use the copy, which is current and to which no thread can store. */
    void open(
            DirectoryEntry<State> entry,
            MappingId of,
            boolean store,
            long heldUntilNanos,
            Effects out) {
        if (store) {
            out.makeTwin(entry.page());
            becomeDirty(entry, heldUntilNanos, out);
            out.resumeFault(of, entry.page(), PageAccess.READ_WRITE);
        } else {
            entry.become(new State.Clean(heldUntilNanos));
            out.resumeFault(of, entry.page(), PageAccess.READ);
        }
    }

    void becomeDirty(DirectoryEntry<State> entry, long heldUntilNanos, Effects out) {
        entry.become(new State.Dirty(heldUntilNanos));
        interval.storedTo(entry.page());
        out.count(NodeCounter.TWINS_MADE);
    }

    /** Marks the copy as stale; threads have no access to it. */
    void becomeStale(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        entry.become(State.STALE);
        if (wanted != Wanted.NOTHING) {
            ask(entry, wanted, out);
        }
    }

    /** Lets threads use the page at its home. */
    void openHome(DirectoryEntry<State> entry, MappingId of, boolean store, Effects out) {
        if (store) {
            becomeHomeDirty(entry);
            out.resumeFault(of, entry.page(), PageAccess.READ_WRITE);
        } else {
            entry.become(State.HOME_CLEAN);
            out.resumeFault(of, entry.page(), PageAccess.READ);
        }
    }

    void becomeHomeDirty(DirectoryEntry<State> entry) {
        entry.become(State.HOME_DIRTY);
        storedToHome(entry.page());
    }

    /**
     * Lists a page to which threads store in place. The first store to it makes this node its home.
     */
    void storedToHome(PageId page) {
        interval.storedTo(page);
        if (homes.isOpen(page)) {
            homes.decide(page, self);
        }
    }

    /** Ends the withdrawal of a page at its home: threads regain access if the page is current. */
    void settleHome(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (!isCurrent(entry)) {
            entry.become(new State.HomeStale(wanted));
        } else if (wanted == Wanted.NOTHING) {
            entry.become(State.HOME_CLEAN);
        } else {
            openHome(entry, out.mapping(), wanted == Wanted.STORE, out);
        }
    }

    /** Poisons the pages for which threads wait, because no reply arrives any more. */
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
            case State.Filling(Wanted wanted) -> wanted;
            case State.HomeWithdrawing(Wanted wanted) -> wanted;
            case State.HomeStale(Wanted wanted) -> wanted;
            default -> Wanted.NOTHING;
        };
    }
}
