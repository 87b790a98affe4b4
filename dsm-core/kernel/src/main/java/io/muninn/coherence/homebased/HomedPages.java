package io.muninn.coherence.homebased;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFound;
import io.muninn.coherence.homebased.HomeBasedMessages.NeededPage;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.coherence.shared.HotPages;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.Wanted;
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
import java.util.List;

/**
 * The pages of one node: where the home of each is, what its copy contains ({@link
 * DirectoryEntry#applied}), and what it must contain before threads may use it, its need.
 */
final class HomedPages {
    private final Context context;
    private final NodeId self;
    private final OpenInterval interval;
    private final Directory<State> directory;
    private final Homes homes;
    private final PageMap<AppliedDiffs> needs = new PageMap<>();
    private final HotPages hot;
    private boolean isSealed;

    HomedPages(Context context, OpenInterval interval) {
        this.context = context;
        this.self = context.self();
        this.interval = interval;
        this.homes = new Homes(context);
        this.hot = new HotPages(context, 1); // readers are told of stores that may not be there
        this.directory = new Directory<>(self, () -> self.isRoot() ? State.IDLE : State.ABSENT);
    }

    void add(RegionSpec region) {
        directory.add(region);
    }

    /** The probable owner of an entry is the home of its page. */
    DirectoryEntry<State> entry(PageId page) {
        return homed(directory.entry(page));
    }

    /** The same for a look at the page, which creates no entry. */
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

    /** Stores to the page at its home leave it. They are not compared with anything. */
    void closeHome(DirectoryEntry<State> entry, Effects out) {
        if (hot.staysWritable(entry.page(), context.clock().interval(), out)) {
            interval.storedTo(entry.page());
        } else {
            entry.become(State.HOME_CLEAN);
            out.setAccess(entry.page(), PageAccess.READ);
        }
    }

    /** An acquire withdraws the page from its home. */
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

    /** The home of a page, if it is that, has all flushes of this node so far. */
    void found(DirectoryEntry<State> entry, NodeId home) {
        if (homes.isOpen(entry.page()) && !home.isRoot()) { // the root answers before it decides
            homes.decide(entry.page(), home);
        }
    }

    /** The home of some pages has a flush of this node; it has all unless others followed. */
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

    /** The page must contain this, too. */
    void needMore(PageId page, AppliedDiffs more) {
        needs.put(page, need(page).join(more));
    }

    /** This node's own flush of an interval is in its copy, and must be in any later one. */
    void flushed(DirectoryEntry<State> entry, long ended) {
        entry.applied(entry.applied().with(self, ended));
        needs.put(entry.page(), need(entry.page()).with(self, ended));
    }

    /** True if the copy contains what it must. */
    boolean isCurrent(DirectoryEntry<State> entry) {
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
                entry.become(isHome(entry.page()) ? State.HOME_CLEAN : new State.Clean(0));
                initial.add(entry.page());
            }
        });
        initial.end();
    }

    /** Asks the home for the page. With the first store to it, asks to be the home. */
    void ask(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        boolean isUnknown = entry.state() instanceof State.Absent; // no notice tells of a store
        boolean claims = isUnknown && wanted == Wanted.STORE && homes.isOpen(entry.page());
        entry.become(new State.Fetching(wanted, 0));
        request(entry, claims, out);
    }

    void request(DirectoryEntry<State> entry, boolean claims, Effects out) {
        NeededPage needed = new NeededPage(entry.page(), claims, need(entry.page()));
        out.send(entry.probableOwner(), new VersionRequest(self, List.of(needed)));
    }

    /** A thread joins those that wait; what they wait for does not come once the run is over. */
    void join(DirectoryEntry<State> entry, State joined, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
        } else {
            entry.become(joined);
        }
    }

    /** Lets threads use the copy, which is current and to which none can store. */
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

    /** Threads have no access to the copy any more. */
    void becomeStale(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        entry.become(State.STALE);
        if (wanted != Wanted.NOTHING) {
            ask(entry, wanted, out);
        }
    }

    /** Lets threads use the page at its home. */
    void openHome(DirectoryEntry<State> entry, boolean store, Effects out) {
        if (store) {
            becomeHomeDirty(entry);
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        } else {
            entry.become(State.HOME_CLEAN);
            out.resumeFault(entry.page(), PageAccess.READ);
        }
    }

    void becomeHomeDirty(DirectoryEntry<State> entry) {
        entry.become(State.HOME_DIRTY);
        storedToHome(entry.page());
    }

    /** Threads store to a page in place; the first store to it decides that this is its home. */
    void storedToHome(PageId page) {
        interval.storedTo(page);
        if (homes.isOpen(page)) {
            homes.decide(page, self);
        }
    }

    /** At the home, while threads have no access: gives it back if the page is current. */
    void settleHome(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        if (!isCurrent(entry)) {
            entry.become(new State.HomeStale(wanted));
        } else if (wanted == Wanted.NOTHING) {
            entry.become(State.HOME_CLEAN);
        } else {
            openHome(entry, wanted == Wanted.STORE, out);
        }
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
            case State.Filling(Wanted wanted) -> wanted;
            case State.HomeWithdrawing(Wanted wanted) -> wanted;
            case State.HomeStale(Wanted wanted) -> wanted;
            default -> Wanted.NOTHING;
        };
    }
}
