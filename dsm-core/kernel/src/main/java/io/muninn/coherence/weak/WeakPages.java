package io.muninn.coherence.weak;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Prefetches;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.coherence.weak.Weak.State;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.TreeSet;

/** The pages of one node: the state of each, and which of them acquires must look at. */
final class WeakPages {
    final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final TreeSet<PageId> checked = new TreeSet<>();
    private final TreeSet<PageId> mapping = new TreeSet<>();
    private final TreeSet<PageId> noticed = new TreeSet<>();
    private final TreeSet<PageId> mapped = new TreeSet<>();
    private final TreeSet<PageId> sealing = new TreeSet<>();
    private final boolean isPooled;
    private final Prefetches prefetches = new Prefetches();
    private boolean isSealed;

    /** Pages with homes. */
    WeakPages(Context context) {
        this(context, false);
    }

    private WeakPages(Context context, boolean isPooled) {
        this.context = context;
        this.self = context.self();
        this.isPooled = isPooled;
        this.directory = new Directory<>(self, this::first);
    }

    /** Pages whose frames are in pools of hosts. */
    static WeakPages pooled(Context context) {
        return new WeakPages(context, true);
    }

    /** The state of a page that no event has named yet. */
    private State first() {
        return self.isRoot() && !(isPooled && isSealed) ? State.IDLE : State.ABSENT;
    }

    /** True if frames, map and lists are in pools of hosts. */
    boolean isPooled() {
        return isPooled;
    }

    void add(RegionSpec region) {
        directory.add(region);
    }

    /** The probable owner of an entry is the home of its page, whose frame is there in place. */
    DirectoryEntry<State> entry(PageId page) {
        return homed(directory.entry(page));
    }

    /** As {@link #entry}, but creates no entry. */
    DirectoryEntry<State> peek(PageId page) {
        return homed(directory.peek(page));
    }

    private DirectoryEntry<State> homed(DirectoryEntry<State> entry) {
        entry.probableOwner(context.homeOf(entry.page()));
        if (entry.state() == State.ABSENT && entry.isOwnedBy(self)) {
            entry.become(isPooled ? State.IDLE : State.UNFILLED);
        }
        return entry;
    }

    /** True if a page is in the pool of this node's host. */
    boolean isNear(PageId page) {
        return isPooled && context.hosts().areTogether(self, context.homeOf(page));
    }

    boolean isHome(PageId page) {
        return context.homeOf(page).equals(self);
    }

    boolean isSealed() {
        return isSealed;
    }

    /** True on the root until its initialization ends. */
    boolean isInitializing() {
        return self.isRoot() && !isSealed;
    }

    /** Ends the root's initialization: from now on stores are published. */
    void seal(Effects out) {
        isSealed = true;
        Withdrawals initial = new Withdrawals(out);
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Initial) {
                out.pageEvent(entry.page(), "Sealed");
                boolean isHome = isHome(entry.page());
                if (isHome && isPooled) {
                    entry.become(State.HOME_SOLE);
                    return;
                }
                if (isHome) {
                    entry.become(State.HOME_CLEAN);
                } else if (isPooled) {
                    entry.become(new State.Withdrawing(Wanted.NOTHING));
                    sealing.add(entry.page());
                } else {
                    entry.become(new State.Clean(0));
                }
                initial.add(entry.page());
            }
        });
        initial.end();
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

    /** Requests a page before a thread faults at it. */
    interface Ahead {
        /** Returns false if the page is here, or requested already. */
        boolean request(DirectoryEntry<State> entry, Effects out);
    }

    /** Requests the missing pages of a prefetch. */
    void prefetch(PageId first, int count, Ahead ahead, Effects out) {
        if (context.isRunOver()) {
            return;
        }
        int requested = 0;
        for (int i = 0; i < count; i++) {
            DirectoryEntry<State> entry = entry(first.plus(i));
            out.pageEvent(entry.page(), "prefetch");
            if (ahead.request(entry, out)) {
                prefetches.requested(entry.page());
                requested++;
            }
        }
        if (requested > 0) {
            out.count(NodeCounter.PAGES_AHEAD, requested);
        }
        Prefetches.unnecessary(count - requested, out);
    }

    /** Counts the first access to a prefetched page. */
    void used(DirectoryEntry<State> entry, Effects out) {
        boolean isUnderWay =
                entry.state() instanceof State.Mapping || entry.state() instanceof State.Filling;
        prefetches.used(entry.page(), !isUnderWay, out);
    }

    /** Counts the loss of a prefetched page that was not accessed. */
    void discarded(PageId page, Effects out) {
        prefetches.gone(page, out);
    }

    /** The pages that this node is entering. */
    TreeSet<PageId> mapping() {
        return mapping;
    }

    /** The pages that this node must check at each acquire. */
    TreeSet<PageId> checked() {
        return checked;
    }

    /**
     * Pages of this host's pool that were absent when an acquire met a notice of them. A trap may
     * have begun to enter them before, and then no publisher sends another.
     */
    TreeSet<PageId> noticed() {
        return noticed;
    }

    /** Pages of other homes in a pool whose first content is being withdrawn on the root. */
    TreeSet<PageId> sealing() {
        return sealing;
    }

    /**
     * Frames of this node in a pool that other nodes have entered since this node has published
     * them, as far as it knows.
     */
    TreeSet<PageId> mapped() {
        return mapped;
    }

    /**
     * True for a frame of this node in a pool of which all copies have notices, as far as it knows:
     * stores to it need no publication until a release finds that it was entered.
     */
    boolean isSole(PageId page) {
        return isPooled && !mapped.contains(page);
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
            case State.Mapping(Wanted wanted, Overtaken _, int _) -> wanted;
            case State.Withdrawing(Wanted wanted) -> wanted;
            case State.Closing(Wanted wanted, long _) -> wanted;
            case State.Filling(Wanted wanted) -> wanted;
            default -> Wanted.NOTHING;
        };
    }
}
