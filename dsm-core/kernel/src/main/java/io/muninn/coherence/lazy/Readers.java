package io.muninn.coherence.lazy;

import io.muninn.api.Advice;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that read the pages to which this node stores: the local copyset of each page, which
 * consists of the nodes that have requested its diffs or a copy of it.
 *
 * <p>A node that has requested the listed stores before each of {@link #REPEATS} consecutive
 * barriers is expected to request them again. A program may give advice about the pages that are
 * pushed and their readers.
 *
 * <p>Source: Keleher and Tseng, "Enhancing software DSM for compiler-parallelized applications",
 * 1997, section 3.1.3. There a program names the pages that are pushed; the repeated requests are
 * ours.
 */
final class Readers {
    /** Number of consecutive barriers with requests after which a page is pushed to a node. */
    static final int REPEATS = 2;

    private static final class Reader {
        int repeats;
        boolean hasAsked; // since the last barrier at which the page was listed
        long given; // it has received or requested this node's diffs up to this interval
    }

    private static final class OfPage {
        final TreeMap<NodeId, Reader> readers = new TreeMap<>();
        Advice advice = Advice.AUTOMATIC;
    }

    private final PageMap<OfPage> pages = new PageMap<>();

    /**
     * Records that a node has requested diffs or a copy of a page.
     *
     * @param interval the last one of this node whose stores the reply contains
     */
    void asked(PageId page, NodeId reader, long interval) {
        Reader asking = of(page).readers.computeIfAbsent(reader, _ -> new Reader());
        asking.hasAsked = true;
        asking.given = Math.max(asking.given, interval);
    }

    private OfPage of(PageId page) {
        OfPage of = pages.get(page);
        if (of == null) {
            of = new OfPage();
            pages.put(page, of);
        }
        return of;
    }

    /**
     * Records that a node has stored to a page, which makes it a reader if the advice is to flush
     * the page.
     *
     * @param interval the last one of this node that has ended
     */
    void wrote(PageId page, NodeId writer, long interval) {
        OfPage of = pages.get(page);
        if (of != null && of.advice == Advice.FLUSH && !of.readers.containsKey(writer)) {
            asked(page, writer, interval);
        }
    }

    void advise(PageId page, Advice advice) {
        of(page).advice = advice;
    }

    /**
     * Adds a node as a reader that is expected to request the page again.
     *
     * @param interval the last one of this node that has ended
     */
    void add(PageId page, NodeId reader, long interval) {
        asked(page, reader, interval);
        Reader added = known(page, reader);
        if (added != null) {
            added.repeats = REPEATS;
        }
    }

    /** Removes all readers of a page. */
    void clear(PageId page) {
        OfPage of = pages.get(page);
        if (of != null) {
            of.readers.clear();
        }
    }

    /** Removes a reader of a page. */
    void remove(PageId page, NodeId reader) {
        OfPage of = pages.get(page);
        if (of != null) {
            of.readers.remove(reader);
        }
    }

    /**
     * The nodes to which to push a page that was listed since the last barrier. Readers that have
     * not requested it since start to count again.
     */
    List<NodeId> atBarrier(PageId page) {
        List<NodeId> due = new ArrayList<>();
        OfPage of = pages.get(page);
        if (of != null) {
            of.readers.forEach((node, reader) -> {
                if (reader.repeats < REPEATS) {
                    reader.repeats = reader.hasAsked ? reader.repeats + 1 : 0;
                }
                reader.hasAsked = false;
                boolean isDue =
                        switch (of.advice) {
                            case AUTOMATIC -> reader.repeats == REPEATS;
                            case FLUSH -> true;
                            case INVALIDATE -> false;
                        };
                if (isDue) {
                    due.add(node);
                }
            });
        }
        return due;
    }

    /** The last interval of this node whose diff a reader has received or requested. */
    long given(PageId page, NodeId reader) {
        Reader known = known(page, reader);
        return known == null ? 0 : known.given;
    }

    /** Records that a reader receives the diffs of a page up to that interval. */
    void give(PageId page, NodeId reader, long interval) {
        Reader known = known(page, reader);
        if (known != null) {
            known.given = Math.max(known.given, interval);
        }
    }

    private @Nullable Reader known(PageId page, NodeId reader) {
        OfPage of = pages.get(page);
        return of == null ? null : of.readers.get(reader);
    }
}
