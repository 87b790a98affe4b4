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
 * among the diffs that the node holds, so they are answers to requests as those are; when a copy
 * contains one, or needs it no more, it is not among these any longer.
 *
 * <p>A page that nobody accesses tells of no access, however many pushes complete it. So one push
 * in {@link #PROBE_EVERY} does not complete a page: if its diffs are here still when notices of the
 * page have come {@link #UNREAD_MAX} times more, nobody reads it.
 *
 * <p><b>Bound.</b> All of them take at most as much as a node may keep of lazy data; what comes
 * beyond is dropped.
 *
 * <p>Source: the flush protocol of Keleher and Tseng, "Enhancing software DSM for
 * compiler-parallelized applications", 1997, section 3.1.3; probes are ours.
 */
final class PushedDiffs {
    /** Of the pushes that may complete a page. */
    static final int PROBE_EVERY = 8;

    /** A program that reads a page in each of its steps may meet at so many barriers in one. */
    static final int UNREAD_MAX = 4;

    private static final class OfPage {
        final TreeSet<DiffName> waiting = new TreeSet<>();
        int completions;
        int unread; // times that notices have come while diffs waited that an access needs
    }

    private final Context context;
    private final HeldDiffs held;
    private final PageMap<OfPage> pages = new PageMap<>();
    private final Set<PageId> named = new TreeSet<>(); // those of them with waiting diffs
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
     * Keeps diffs that were pushed, but for those that the node holds, or a copy contains.
     *
     * @param collected what is collected: nobody needs it
     * @return whether it has kept any
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

    /** A copy has got diffs: those of them that were pushed do not wait any more. */
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

    /** Whether the next diffs that may complete a page are to wait for an access in its place. */
    boolean isProbe(PageId page) {
        OfPage of = pages.get(page);
        if (of == null) {
            return false;
        }
        of.completions++;
        return of.completions % PROBE_EVERY == 0;
    }

    /**
     * Notices come of a page that nobody may access.
     *
     * @param needed diffs that the next access needs
     * @return the writers of those that wait, if nobody reads the page
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

    /** Drops what waits for a page. */
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

    /** Drops what a collection covers: every copy has it, or will come from one that has. */
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
