package io.muninn.kernel.port;

import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The bytes of a node's pages, twins and diffs, and the access of its application processes to
 * them. The methods are the page effects of {@link io.muninn.spi.Effect}, whose Javadoc is their
 * contract; an application process that the node does not have is refused.
 */
public interface Pages extends PayloadSource {
    void setAccess(MappingId mapping, PageId page, PageAccess access);

    /** Batch variant for neighbouring pages, for which one system call may suffice. */
    default void setAccess(MappingId mapping, PageId first, int count, PageAccess access) {
        for (int i = 0; i < count; i++) {
            setAccess(mapping, first.plus(i), access);
        }
    }

    /**
     * Withdraws access at once, or begins to; {@code AccessWithdrawn} is delivered as an event of
     * its own when it is done.
     */
    void withdraw(MappingId mapping, PageId first, int count);

    void install(MappingId mapping, PageId page, Payload image, PageAccess access);

    /**
     * Batch variant for several pages.
     *
     * @param images as many as there are pages
     */
    default void install(
            MappingId mapping, List<PageId> pages, List<Payload> images, PageAccess access) {
        for (int i = 0; i < pages.size(); i++) {
            install(mapping, pages.get(i), images.get(i), access);
        }
    }

    void merge(PageId page, Payload image);

    void discard(PageId page);

    /** Batch variant for neighbouring pages. */
    default void discard(PageId first, int count) {
        for (int i = 0; i < count; i++) {
            discard(first.plus(i));
        }
    }

    void poison(PageId page);

    void makeTwin(PageId page);

    void dropTwin(PageId page);

    /**
     * The result of comparing page and twin.
     *
     * @param granules changed granules
     * @param bytes length of the encoded diff
     * @param kept the page is writable, and its twin is the compared content
     */
    record DiffSize(int granules, int bytes, boolean kept) {}

    DiffSize saveDiff(PageId page, long interval, boolean keepTwin);

    /**
     * Batch variant for several pages, in order.
     *
     * @return the results, in the order of the pages
     */
    default List<DiffSize> saveDiffs(List<PageId> pages, long interval, boolean keepTwin) {
        return pages.stream().map(page -> saveDiff(page, interval, keepTwin)).toList();
    }

    void dropDiff(PageId page, long interval);

    void keepDiff(PageId page, long keep, Payload diff);

    void dropKept(PageId page, long keep);

    /**
     * @return granules that a local store had also changed
     */
    int applyDiff(PageId page, Payload diff);

    /**
     * Batch variant for several pages, in order.
     *
     * @param diffs as many as there are pages
     * @return granules that local stores had also changed, in the order of the pages
     */
    default List<Integer> applyDiffs(List<PageId> pages, List<Payload> diffs) {
        List<Integer> overlaps = new ArrayList<>(pages.size());
        for (int i = 0; i < pages.size(); i++) {
            overlaps.add(applyDiff(pages.get(i), diffs.get(i)));
        }
        return overlaps;
    }

    /**
     * The value that a local thread has stored to a granule since the page's twin was made; empty
     * if page and twin are equal there, or there is no twin.
     *
     * @param offset of the granule in the page, in bytes
     */
    OptionalLong localStore(PageId page, int offset, int granuleBytes);

    void resume(MappingId mapping, PageId page, PageAccess access);

    /** Batch variant for neighbouring pages. */
    default void resume(MappingId mapping, PageId first, int count, PageAccess access) {
        for (int i = 0; i < count; i++) {
            resume(mapping, first.plus(i), access);
        }
    }
}
