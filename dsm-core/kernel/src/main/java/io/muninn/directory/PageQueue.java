package io.muninn.directory;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages in the order in which they came, each once, such as a delayed update queue. Filled and
 * emptied in every interval, so without hashes.
 *
 * <p><b>Threads.</b> One.
 */
public final class PageQueue {
    private List<@Nullable PageId> order = new ArrayList<>(); // null where one was taken out
    private final PageMap<Integer> places = new PageMap<>(); // in that list
    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public boolean contains(PageId page) {
        return places.get(page) != null;
    }

    /** Nothing if the page is there. */
    public void add(PageId page) {
        if (!contains(page)) {
            places.put(page, order.size());
            order.add(page);
            size++;
        }
    }

    /** Nothing if the page is not there. */
    public void remove(PageId page) {
        Integer place = places.remove(page);
        if (place != null) {
            order.set(place, null);
            size--;
            if (size == 0) {
                order.clear();
            }
        }
    }

    /** Takes all, in order. */
    public List<PageId> take() {
        List<PageId> all = new ArrayList<>(size);
        for (PageId page : order) {
            if (page != null) {
                places.remove(page);
                all.add(page);
            }
        }
        order = new ArrayList<>(size); // the next interval is often as large
        size = 0;
        return all;
    }
}
