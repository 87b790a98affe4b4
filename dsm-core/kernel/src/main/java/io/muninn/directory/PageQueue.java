package io.muninn.directory;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages in insertion order without duplicates, such as a delayed update queue. It is filled and
 * emptied in every interval and therefore does not hash.
 *
 * <p><b>Threads.</b> One.
 */
public final class PageQueue {
    private List<@Nullable PageId> order = new ArrayList<>(); // null where a page was removed
    private final PageMap<Integer> places = new PageMap<>(); // positions in that list
    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public boolean contains(PageId page) {
        return places.get(page) != null;
    }

    /** Adds a page unless it is contained. */
    public void add(PageId page) {
        if (!contains(page)) {
            places.put(page, order.size());
            order.add(page);
            size++;
        }
    }

    /** Removes a page if it is contained. */
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

    /** Removes and returns all pages, in order. */
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
