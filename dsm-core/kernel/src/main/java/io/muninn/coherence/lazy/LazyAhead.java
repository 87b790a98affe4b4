package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.Lazy.State;
import io.muninn.coherence.shared.Prefetches;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.shared.Wanted;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Requests the diffs that copies lack before threads access them, for {@link ReadAhead} and
 * prefetches: the row Ahead of {@link Lazy}'s table.
 */
final class LazyAhead {
    /** Largest number of pages in Ahead at a time. No more are requested. */
    static final int PAGES_MAX = 1024;

    private final Context context;
    private final LazyPages pages;
    private final Fetches fetches;
    private final ReadAhead readAhead;
    private final BiConsumer<DirectoryEntry<State>, Effects> open;
    private final Set<PageId> waiting = new TreeSet<>(); // and some that no longer wait

    /**
     * @param open lets threads access a page that is being fetched, if all diffs are present
     */
    LazyAhead(
            Context context,
            LazyPages pages,
            Fetches fetches,
            ReadAhead readAhead,
            BiConsumer<DirectoryEntry<State>, Effects> open) {
        this.context = context;
        this.pages = pages;
        this.fetches = fetches;
        this.readAhead = readAhead;
        this.open = open;
    }

    /** A thread accesses a page that is requested already. */
    void use(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        boolean isHere = fetches.isHere(entry);
        boolean isPrefetched = readAhead.prefetches().used(entry.page(), isHere, out);
        if (context.isRunOver() && !isHere) {
            out.poison(entry.page());
            return;
        }
        if (isPrefetched && !isHere && context.updates().readAhead().repeatsLate()) {
            fetches.repeat(entry.page());
        }
        entry.become(new State.Fetching(wanted, 0));
        open.accept(entry, out);
    }

    /**
     * Lets threads access the present pages after a fault, and requests the missing ones.
     *
     * @param before the state of the fault's page before it
     */
    void onFault(PageId fault, State before, Effects out) {
        switch (before) {
            case State.Idle _ -> readAhead.prefetches().used(fault, true, out);
            case State.Absent(), State.Stale(), State.Ahead() -> {} // new to threads, too
            default -> {
                return;
            }
        }
        ReadAhead.Step step = readAhead.onFault(fault);
        if (step != ReadAhead.Step.NONE) {
            readAhead.open(fault, step, page -> open(pages.entry(page), out), out);
            ask(new PageId(fault.region(), step.askBegin()), step.askEnd() - step.askBegin(), out);
        }
    }

    private boolean open(DirectoryEntry<State> entry, Effects out) {
        if (entry.state() instanceof State.Idle) {
            pages.openIdle(entry, out);
            readAhead.opened(entry.page());
            return true;
        }
        boolean isHere =
                entry.state() instanceof State.Ahead
                        && readAhead.isUnopened(entry.page())
                        && fetches.isHere(entry);
        if (isHere) {
            entry.become(new State.Fetching(Wanted.NOTHING, 0));
            open.accept(entry, out);
            readAhead.opened(entry.page());
        }
        return isHere;
    }

    /** Requests the missing pages of a prefetch. */
    void onPrefetch(PageId first, int count, Effects out) {
        List<PageId> asked = ask(first, count, out);
        asked.forEach(readAhead.prefetches()::requested);
        Prefetches.unnecessary(count - asked.size(), out);
    }

    private List<PageId> ask(PageId first, int count, Effects out) {
        List<PageId> asked = new ArrayList<>();
        for (int i = 0; i < count && !context.isRunOver() && hasRoom(); i++) {
            DirectoryEntry<State> entry = pages.entry(first.plus(i));
            if (pages.fetchAhead(entry, out)) { // a store needs the same copy
                asked.add(entry.page());
                waiting.add(entry.page());
                readAhead.asked(entry.page());
            }
        }
        if (!asked.isEmpty()) {
            out.count(NodeCounter.PAGES_AHEAD, asked.size());
        }
        return asked;
    }

    private boolean hasRoom() {
        if (waiting.size() == PAGES_MAX) {
            waiting.removeIf(page -> !(pages.entry(page).state() instanceof State.Ahead));
        }
        return waiting.size() < PAGES_MAX;
    }
}
