package io.muninn.coherence.lazy;

import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The keeper of each page, the node that gives others their first copy. Initially it is the root,
 * or the node to which the root has handed the page over; the root forwards requests to that node.
 * Once a collection covers stores to the page, it is the first node among those whose last stores
 * are not covered by another's. All nodes choose the same keeper from the same write notices.
 */
final class Keepers {
    private final PageMap<NodeId> keepers = new PageMap<>(); // of pages with a chosen keeper
    private final PageMap<NodeId> holders = new PageMap<>(); // of pages that were handed over
    private VectorTimestamp collected;
    private long chosen;
    private long performed;

    Keepers(int nodes) {
        this.collected = VectorTimestamp.zero(nodes);
    }

    NodeId of(PageId page) {
        NodeId keeper = keepers.get(page);
        if (keeper != null) {
            return keeper;
        }
        NodeId holder = holders.get(page);
        return holder == null ? NodeId.ROOT : holder;
    }

    /** Records that the only copy of a page is sent to another node. */
    void handOver(PageId page, NodeId to) {
        holders.put(page, to);
    }

    /** Number of the last collection that this node has performed. */
    long performed() {
        return performed;
    }

    /** Number of the last collection for which keepers have been chosen; it may be in progress. */
    long chosen() {
        return chosen;
    }

    /** The timestamp that this collection covers. */
    VectorTimestamp collected() {
        return collected;
    }

    /**
     * Chooses a keeper for each page of these notices.
     *
     * @param notices that the collection covers, and the previous one does not
     */
    void choose(long number, VectorTimestamp upTo, List<Notice> notices) {
        chosen = number;
        collected = upTo;
        Map<PageId, Map<NodeId, Notice>> newest = new TreeMap<>();
        for (Notice notice : notices) {
            for (PageId page : notice.pages()) {
                newest.computeIfAbsent(page, _ -> new TreeMap<>())
                        .merge(
                                notice.writer(),
                                notice,
                                (one, other) -> one.interval() > other.interval() ? one : other);
            }
        }
        newest.forEach(
                (page, byWriter) -> keepers.put(page, first(new ArrayList<>(byWriter.values()))));
    }

    private static NodeId first(List<Notice> newest) {
        for (Notice each : newest) {
            boolean isCovered =
                    newest.stream()
                            .anyMatch(other ->
                                    other != each
                                            && other.timestamp()
                                                    .covers(each.writer(), each.interval()));
            if (!isCovered) {
                return each.writer();
            }
        }
        throw new IllegalStateException("each of " + newest + " covers another");
    }

    /** Records that this node has performed the collection for which keepers were chosen last. */
    void perform() {
        performed = chosen;
    }
}
