package io.muninn.coherence.weak;

import io.muninn.coherence.shared.HotPages;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.weak.Weak.State;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageQueue;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WeakRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The stores of one node, from the write fault to their publication. */
final class WeakStores {
    private final WeakPages pages;
    private final Pool pool;
    private final Publications publications;

    private final WeakRules rules;
    private final PageQueue dirty = new PageQueue();
    // pages that the map has this node as a writer of; of other homes only with immediate
    // transitions
    private final PageQueue announced = new PageQueue();
    private final List<Pool.Stores> saved = new ArrayList<>(); // by the comparisons so far
    private final HotPages hotFrames; // of this node
    private final KeptTwins twins;
    private long flushes;
    private int comparisons; // outstanding
    private final ArrayDeque<GatedRelease> closing = new ArrayDeque<>(); // until onMapped

    WeakStores(Context context, WeakPages pages, Pool pool, Publications publications) {
        this.pages = pages;
        this.pool = pool;
        this.publications = publications;
        this.rules = context.updates().weak();
        this.hotFrames = new HotPages(context, 1); // their notices may be of no store
        this.twins = new KeptTwins(context);
    }

    /** Lets threads use a copy to which no thread can store. */
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

    /** A copy has arrived, which threads use if they wait for it. */
    void install(DirectoryEntry<State> entry, Wanted wanted, long heldUntilNanos, Effects out) {
        if (wanted == Wanted.NOTHING) {
            entry.become(new State.Clean(0)); // prefetched: no thread has access
        } else {
            open(entry, wanted == Wanted.STORE, heldUntilNanos, out);
        }
    }

    void becomeDirty(DirectoryEntry<State> entry, long heldUntilNanos, Effects out) {
        entry.become(new State.Dirty(heldUntilNanos));
        dirty.add(entry.page());
        out.count(NodeCounter.TWINS_MADE);
        announceFirst(entry.page(), out);
    }

    /** Lets threads use the frame at its home. */
    void openHome(DirectoryEntry<State> entry, boolean store, Effects out) {
        if (pages.isSole(entry.page())) {
            entry.become(State.HOME_SOLE);
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        } else if (store) {
            becomeHomeDirty(entry, out);
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        } else {
            entry.become(State.HOME_CLEAN);
            out.resumeFault(entry.page(), PageAccess.READ);
        }
    }

    /** A trap has made a twin of a frame, which needs none. */
    void becomeHomeDirtyByTrap(DirectoryEntry<State> entry, Effects out) {
        becomeHomeDirty(entry, out);
        out.dropTwin(entry.page());
        out.setAccess(entry.page(), PageAccess.READ_WRITE);
    }

    private void becomeHomeDirty(DirectoryEntry<State> entry, Effects out) {
        entry.become(State.HOME_DIRTY);
        dirty.add(entry.page());
        announceFirst(entry.page(), out);
    }

    /** Announces the first store of a writer, with immediate transitions. */
    private void announceFirst(PageId page, Effects out) {
        if (rules.isImmediate() && !announced.contains(page)) {
            announced.add(page);
            pool.announce(List.of(page), publications.begin(1), out);
        }
    }

    /** Lets threads store to a page that is being discarded: they have a twin. */
    void becomeClosing(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        dirty.remove(entry.page());
        twins.withdrawn(entry.page());
        entry.become(new State.Closing(wanted, publications.begin(1)));
        announceFirst(entry.page(), out);
    }

    void onRelease(GatedRelease leaving, Effects out) {
        if (leaving instanceof GatedRelease.Elapsed) {
            publications.await(leaving, out);
        } else {
            closing.add(leaving);
            pool.takeMapped(out);
        }
    }

    /**
     * Other nodes have entered frames of this node, before the stores of a release are published.
     */
    void onMapped(List<PageId> entered, Effects out) {
        for (PageId page : entered) {
            pages.mapped().add(page);
            DirectoryEntry<State> entry = pages.entry(page);
            if (entry.state() instanceof State.HomeSole) {
                becomeHomeDirty(entry, out);
            }
        }
        closeDirty(out);
        publications.await(closing.remove(), out);
    }

    /** Protects the pages before it compares them, so that no store is lost between the two. */
    private void closeDirty(Effects out) {
        if (dirty.isEmpty()) {
            return;
        }
        out.count(NodeCounter.FLUSHES);
        flushes++;
        List<PageId> stored = dirty.take();
        stored.sort(null); // neighbours are protected in one step
        List<PageId> compared = new ArrayList<>();
        List<PageId> kept = new ArrayList<>();
        List<PageId> own = new ArrayList<>();
        for (PageId page : stored) {
            out.pageEvent(page, "release");
            DirectoryEntry<State> entry = pages.entry(page);
            switch (entry.state()) {
                case State.Dirty _ when twins.isKept(page, flushes, out) -> {
                    kept.add(page);
                    dirty.add(page);
                    continue;
                }
                case State.Dirty(long held) -> {
                    entry.become(new State.Clean(held));
                    compared.add(page);
                }
                case State.HomeDirty() when pages.isSole(page) -> {
                    entry.become(State.HOME_SOLE);
                    continue;
                }
                case State.HomeDirty() -> {
                    pages.mapped().remove(page); // all who map it have notices then
                    own.add(page);
                    if (hotFrames.staysWritable(page, flushes, out)) {
                        dirty.add(page);
                        continue;
                    }
                    entry.become(State.HOME_CLEAN);
                }
                default -> throw new ProtocolViolation(entry, "release");
            }
            out.setAccess(page, PageAccess.READ);
        }
        if (!compared.isEmpty() || !kept.isEmpty()) {
            long number = publications.begin(compared.size() + kept.size());
            compared.forEach(page -> compare(page, number, false, out));
            kept.forEach(page -> compare(page, number, true, out));
        }
        if (!own.isEmpty() && !rules.isImmediate()) {
            own.forEach(announced::add);
            pool.announce(own, publications.begin(own.size()), out);
        }
    }

    /** Compares a page to which no thread can store. */
    void compare(PageId page, long number, Effects out) {
        compare(page, number, false, out);
    }

    private void compare(PageId page, long number, boolean staysWritable, Effects out) {
        comparisons++;
        out.saveDiff(page, number, staysWritable);
    }

    /**
     * Processes the result of a comparison.
     *
     * @return true if it was the last one, so that the stores found are published
     */
    boolean onDiffSaved(Event.DiffSaved result, Effects out) {
        PageId page = result.page();
        DirectoryEntry<State> entry = pages.entry(page);
        boolean isChanged = result.granules() > 0;
        out.count(isChanged ? NodeCounter.DIFFS_MADE : NodeCounter.DIFFS_EMPTY);
        switch (entry.state()) {
            case State.Clean(long held) when result.kept() -> {
                entry.become(new State.Dirty(held));
                dirty.add(page);
            }
            case State.Withdrawing(Wanted wanted) when result.kept() ->
                    becomeClosing(entry, wanted, out);
            case State.Clean _, State.Withdrawing _ -> out.dropTwin(page);
            case State.Dirty _ when result.kept() -> twins.compared(page, isChanged, out);
            case State.Closing(Wanted _, long number) -> // or it was hot at the release before
                    ProtocolViolation.check(
                            number == result.interval() || result.kept(), entry, result);
            default -> throw new ProtocolViolation(entry, result);
        }
        if (isChanged) {
            saved.add(new Pool.Stores(page, result.interval(), result.bytes()));
        } else {
            publications.done(result.interval(), out);
        }
        comparisons--;
        if (comparisons > 0) {
            return false;
        }
        pool.publish(List.copyOf(saved), out);
        saved.clear();
        return true;
    }

    /** The copy was discarded. */
    void discarded(PageId page) {
        announced.remove(page);
    }

    /** Ends the mappings of this node's own frames that it has published and does not store to. */
    void leaveOwn(Effects out) {
        if (rules.notices() == WeakRules.Notices.PUBLISH) {
            return; // no entry in the map depends on it
        }
        List<PageId> own = new ArrayList<>();
        List<PageId> others = new ArrayList<>();
        for (PageId page : announced.take()) {
            boolean isOver =
                    switch (pages.peek(page).state()) {
                        case State.HomeClean(), State.HomeSole() -> true;
                        default -> false;
                    };
            (isOver ? own : others).add(page);
        }
        others.forEach(announced::add);
        if (!own.isEmpty()) {
            pool.leave(own, out);
        }
    }
}
