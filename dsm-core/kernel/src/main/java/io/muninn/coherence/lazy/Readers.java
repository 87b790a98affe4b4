package io.muninn.coherence.lazy;

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
 * taken for a reader that will ask again.
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

    private final PageMap<TreeMap<NodeId, Reader>> pages = new PageMap<>();

    /**
     * A node has asked for diffs or a copy of a page.
     *
     * @param interval the last one of this node whose stores it gets by that
     */
    void asked(PageId page, NodeId reader, long interval) {
        TreeMap<NodeId, Reader> of = pages.get(page);
        if (of == null) {
            of = new TreeMap<>();
            pages.put(page, of);
        }
        Reader asking = of.computeIfAbsent(reader, _ -> new Reader());
        asking.hasAsked = true;
        asking.given = Math.max(asking.given, interval);
    }

    /** A node does not read a page. */
    void remove(PageId page, NodeId reader) {
        TreeMap<NodeId, Reader> of = pages.get(page);
        if (of != null) {
            of.remove(reader);
        }
    }

    /**
     * The nodes to which a page is to be pushed that was listed since the last barrier; those that
     * have not repeated themselves begin again.
     */
    List<NodeId> atBarrier(PageId page) {
        List<NodeId> due = new ArrayList<>();
        TreeMap<NodeId, Reader> of = pages.get(page);
        if (of != null) {
            of.forEach((node, reader) -> {
                if (reader.repeats < REPEATS) {
                    reader.repeats = reader.hasAsked ? reader.repeats + 1 : 0;
                }
                reader.hasAsked = false;
                if (reader.repeats == REPEATS) {
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
        TreeMap<NodeId, Reader> of = pages.get(page);
        return of == null ? null : of.get(reader);
    }
}
