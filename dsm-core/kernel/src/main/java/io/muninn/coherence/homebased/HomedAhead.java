package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.homebased.HomeBasedMessages.NeededPage;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.coherence.shared.Prefetches;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.shared.Wanted;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Prepares home-based pages before threads access them, for {@link ReadAhead} and prefetches:
 * copies are requested from their homes, and a home requests the first content of its own pages
 * from the root.
 */
final class HomedAhead {
    private final Context context;
    private final HomedPages pages;
    private final HomeServer server;
    private final ReadAhead readAhead;

    HomedAhead(Context context, HomedPages pages, HomeServer server) {
        this.context = context;
        this.pages = pages;
        this.server = server;
        this.readAhead = pages.readAhead;
    }

    /**
     * Gives threads access to the present pages after a fault, and requests the missing ones, if
     * the fault's page is new to the threads of this node.
     *
     * @param before the state of the fault's page before it
     */
    void onFault(PageId fault, State before, Effects out) {
        if (isNew(fault, before)) {
            makeReady(fault, out);
        }
        boolean isUnderWay = before instanceof State.Ahead || before instanceof State.Filling;
        readAhead.prefetches().used(fault, !isUnderWay, out);
    }

    /** True if no thread has accessed the page since it was last requested. */
    private boolean isNew(PageId page, State before) {
        return switch (before) {
            case State.Absent(), State.Stale(), State.Ahead _, State.Unfilled() -> true;
            case State.Clean _, State.HomeClean() -> readAhead.isUnopened(page);
            case State.Filling(Wanted wanted) -> wanted == Wanted.NOTHING;
            default -> false;
        };
    }

    private void makeReady(PageId fault, Effects out) {
        ReadAhead.Step step = readAhead.onFault(fault);
        if (step == ReadAhead.Step.NONE) {
            return;
        }
        readAhead.open(fault, step, page -> open(pages.entry(page), out), out);
        ask(new PageId(fault.region(), step.askBegin()), step.askEnd() - step.askBegin(), out);
    }

    private boolean open(DirectoryEntry<State> entry, Effects out) {
        if (!readAhead.isUnopened(entry.page())) {
            return false;
        }
        switch (entry.state()) {
            case State.Clean(long held) when pages.isCurrent(entry, out.process()) ->
                    pages.open(entry, out.process(), false, held, out);
            case State.HomeClean() when pages.isCurrent(entry, out.process()) ->
                    pages.openHome(entry, out.process(), false, out);
            default -> {
                return false;
            }
        }
        readAhead.opened(entry.page());
        return true;
    }

    /** Requests the missing pages of a prefetch. */
    void onPrefetch(PageId first, int count, Effects out) {
        if (!context.isRunOver()) {
            List<PageId> asked = ask(first, count, out);
            asked.forEach(readAhead.prefetches()::requested);
            Prefetches.unnecessary(count - asked.size(), out);
        }
    }

    /** Requests the missing pages, one message per home, and returns them. */
    private List<PageId> ask(PageId first, int count, Effects out) {
        List<PageId> asked = new ArrayList<>();
        TreeMap<NodeId, List<NeededPage>> byHome = new TreeMap<>();
        for (int i = 0; i < count && !context.isRunOver(); i++) {
            DirectoryEntry<State> entry = pages.entry(first.plus(i));
            if (isMissing(entry)) {
                asked.add(entry.page());
                readAhead.asked(entry.page());
                request(entry, byHome, out);
            }
        }
        byHome.forEach((home, needed) -> {
            out.count(NodeCounter.PAGES_AHEAD, needed.size());
            out.send(home, new VersionRequest(context.self(), needed));
        });
        return asked;
    }

    private boolean isMissing(DirectoryEntry<State> entry) {
        return switch (entry.state()) {
            case State.Absent(), State.Stale(), State.Unfilled() -> true;
            case State.Idle() -> !entry.isOwnedBy(context.self()) && !pages.isCurrent(entry);
            default -> false;
        };
    }

    private void request(
            DirectoryEntry<State> entry, TreeMap<NodeId, List<NeededPage>> byHome, Effects out) {
        if (entry.state() instanceof State.Unfilled) {
            out.count(NodeCounter.PAGES_AHEAD);
            server.fill(entry, Wanted.NOTHING, out);
        } else {
            entry.become(new State.Ahead(false));
            byHome.computeIfAbsent(entry.probableOwner(), _ -> new ArrayList<>())
                    .add(new NeededPage(entry.page(), false, pages.need(entry.page())));
        }
    }

    /** Marks a copy as stale, because an acquire has overtaken its request. */
    void lost(DirectoryEntry<State> entry, Effects out) {
        entry.become(State.STALE);
        readAhead.gone(entry.page(), out);
    }
}
