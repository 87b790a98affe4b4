package io.muninn.coherence.weak;

import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.Listed;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The weak list of all nodes, on one of them: publications by position, of each page and publisher
 * the last. A node reads what was appended since it has read it before.
 */
final class CentralList {
    private final TreeMap<Long, Listed> positions = new TreeMap<>();
    private final Map<Listed, Long> last = new LinkedHashMap<>();
    private long end;

    void append(List<Listed> listed) {
        for (Listed each : listed) {
            end++;
            Long before = last.put(each, end);
            if (before != null) {
                positions.remove(before);
            }
            positions.put(end, each);
        }
    }

    /**
     * @param after position behind which the reader reads
     * @param most largest number of pages in the reply
     */
    ListReply read(int reader, long after, int most) {
        List<PageId> pages = new ArrayList<>();
        for (Map.Entry<Long, Listed> each : positions.tailMap(after, false).entrySet()) {
            if (pages.size() == most) {
                return new ListReply(positions.lowerKey(each.getKey()), false, pages);
            }
            if (each.getValue().isFor(reader)) {
                pages.add(each.getValue().page());
            }
        }
        return new ListReply(end, true, pages);
    }
}
