package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Diffs that other nodes have pushed to this one, and that its copies do not contain yet. They are
 * among the diffs that the node holds, so it also sends them on request. A diff is removed from
 * this set when a copy contains it or no longer needs it.
 *
 * <p>Pushes that complete a page hide whether any thread reads it. So one push in {@link
 * #PROBE_EVERY} does not complete a page: if its diffs are still here after notices of the page
 * have arrived {@link #UNREAD_MAX} more times, no thread reads it.
 *
 * <p><b>Bound.</b> All of them together take at most as much as a node may keep of lazy data;
 * further diffs are dropped.
 *
 * <p>Source: the flush protocol of Keleher and Tseng, "Enhancing software DSM for
 * compiler-parallelized applications", 1997, section 3.1.3; probes are ours.
 */
final class PushedDiffs {
    /** One push in so many that may complete a page is a probe. */
    static final int PROBE_EVERY = 8;

    /** Largest number of barriers in one step of a program that reads the page in each step. */
    static final int UNREAD_MAX = 4;

    private static final class OfPage {
        final TreeSet<DiffName> waiting = new TreeSet<>();
        int completions;
        // number of times that notices arrived while diffs were here that an access needs
        int unread;
    }

    private final Context context;
    private final HeldDiffs held;
    private final PageMap<OfPage> pages = new PageMap<>();
    private final Set<PageId> named = new TreeSet<>(); // pages with waiting diffs
    private long bytes;

    PushedDiffs(Context context, HeldDiffs held) {
        this.context = context;
        this.held = held;
    }

    boolean has(PageId page, DiffName name) {
        OfPage of = pages.get(page);
        return of != null && of.waiting.contains(name);
    }

    /**
     * Keeps pushed diffs, except those that the node holds, or that a copy contains.
     *
     * @param collected covered by a collection: no node needs these diffs
     * @return true if it has kept any
     */
    boolean keep(
            DirectoryEntry<?> entry,
            List<NamedDiff> diffs,
            VectorTimestamp collected,
            Effects out) {
        boolean isKept = false;
        for (NamedDiff each : diffs) {
            DiffName name = each.name();
            if (!held.has(entry.page(), name)
                    && !name.isIn(entry.applied())
                    && !collected.covers(name.writer(), name.interval())) {
                isKept |= keep(entry.page(), each, out);
            }
        }
        return isKept;
    }

    private boolean keep(PageId page, NamedDiff diff, Effects out) {
        int more = HeldDiffs.bytes(diff);
        if (bytes + more > context.updates().lazyBytes()) {
            return false;
        }
        held.keep(page, diff, out);
        bytes += more;
        OfPage of = pages.get(page);
        if (of == null) {
            of = new OfPage();
            pages.put(page, of);
        }
        of.waiting.add(diff.name());
        named.add(page);
        return true;
    }

    /** Removes the diffs that a copy contains by now. */
    void contained(DirectoryEntry<?> entry) {
        OfPage of = pages.get(entry.page());
        if (of != null) {
            of.unread = 0;
            for (DiffName each : List.copyOf(of.waiting)) {
                if (each.isIn(entry.applied())) {
                    of.waiting.remove(each);
                    bytes -= held.bytes(entry.page(), each);
                }
            }
            forgetIfEmpty(entry.page(), of);
        }
    }

    private void forgetIfEmpty(PageId page, OfPage of) {
        if (of.waiting.isEmpty()) {
            named.remove(page);
        }
    }

    /** True if the next diffs that may complete a page must be kept for an access instead. */
    boolean isProbe(PageId page) {
        OfPage of = pages.get(page);
        if (of == null) {
            return false;
        }
        of.completions++;
        return of.completions % PROBE_EVERY == 0;
    }

    /**
     * Counts an arrival of notices of a page to which threads have no access.
     *
     * @param needed diffs that the next access needs
     * @return the writers of the kept diffs, if no thread reads the page
     */
    Set<NodeId> unread(PageId page, List<DiffName> needed) {
        OfPage of = pages.get(page);
        if (of == null || needed.stream().noneMatch(of.waiting::contains)) {
            return new TreeSet<>();
        }
        of.unread++;
        Set<NodeId> writers = new TreeSet<>();
        if (of.unread == UNREAD_MAX) {
            of.waiting.forEach(each -> writers.add(each.writer()));
        }
        return writers;
    }

    /** Drops the kept diffs of a page. */
    void drop(PageId page, Effects out) {
        OfPage of = pages.get(page);
        if (of != null && !of.waiting.isEmpty()) {
            out.count(NodeCounter.PUSHES_WASTED);
            of.unread = 0;
            of.waiting.forEach(each -> forget(page, each, out));
            of.waiting.clear();
            named.remove(page);
        }
    }

    private void forget(PageId page, DiffName name, Effects out) {
        bytes -= held.bytes(page, name);
        held.forget(page, name, out);
    }

    /**
     * Drops the diffs that a collection covers: every copy has them, or will be created from one
     * that has.
     */
    void drop(VectorTimestamp upTo, Effects out) {
        for (PageId page : List.copyOf(named)) {
            OfPage of = Objects.requireNonNull(pages.get(page));
            boolean wasDropped = false;
            for (DiffName each : List.copyOf(of.waiting)) {
                if (upTo.covers(each.writer(), each.interval())) {
                    of.waiting.remove(each);
                    forget(page, each, out);
                    wasDropped = true;
                }
            }
            if (wasDropped) {
                out.count(NodeCounter.PUSHES_WASTED);
            }
            forgetIfEmpty(page, of);
        }
    }
}
