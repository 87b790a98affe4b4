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
 * Which nodes read the pages to which this node stores: the local copyset of each page, of the
 * nodes that have asked for its diffs or for a copy of it.
 *
 * <p>A node that has asked for what was listed before each of {@link #REPEATS} barriers in a row is
 * taken for a reader that will ask again. A program may say which pages are pushed, and who reads
 * them.
 *
 * <p>Source: Keleher and Tseng, "Enhancing software DSM for compiler-parallelized applications",
 * 1997, section 3.1.3. There a program says which pages are pushed; that a reader has to repeat
 * itself is ours.
 */
final class Readers {
    /** A node that asks is pushed to from so many barriers on. */
    static final int REPEATS = 2;

    private static final class Reader {
        int repeats;
        boolean hasAsked; // since the last barrier at which the page was listed
        long given; // it has got or asked for this node's diffs up to this interval
    }

    private static final class OfPage {
        final TreeMap<NodeId, Reader> readers = new TreeMap<>();
        Advice advice = Advice.AUTOMATIC;
    }

    private final PageMap<OfPage> pages = new PageMap<>();

    /**
     * A node has asked for diffs or a copy of a page.
     *
     * @param interval the last one of this node whose stores it gets by that
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
     * A node has stored to a page: a reader of pages that are to be flushed.
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
     * A node is taken for a reader that will ask again.
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

    /** No node reads a page. */
    void clear(PageId page) {
        OfPage of = pages.get(page);
        if (of != null) {
            of.readers.clear();
        }
    }

    /** A node does not read a page. */
    void remove(PageId page, NodeId reader) {
        OfPage of = pages.get(page);
        if (of != null) {
            of.readers.remove(reader);
        }
    }

    /**
     * The nodes to which a page is to be pushed that was listed since the last barrier; those that
     * have not repeated themselves begin again.
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

    /** The last interval of this node of which a reader has got or asked for the diff. */
    long given(PageId page, NodeId reader) {
        Reader known = known(page, reader);
        return known == null ? 0 : known.given;
    }

    /** A reader gets the diffs of a page up to that interval. */
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
