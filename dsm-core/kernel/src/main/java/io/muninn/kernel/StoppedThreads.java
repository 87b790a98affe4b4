package io.muninn.kernel;

import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.ThreadMark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The threads that have stopped at pages that are held for them, so that a hold can end when they
 * have continued. Only the pages at which threads stopped last are recorded, so that the memory is
 * bounded; any other page is held for the whole time.
 */
final class StoppedThreads {
    private static final int PAGES_MAX = 1024;

    private final SequencedMap<PageId, List<ThreadMark>> marks =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<PageId, List<ThreadMark>> eldest) {
                    return size() > PAGES_MAX;
                }
            };

    /** Records that a thread has stopped at a page; earlier stops of the thread are void. */
    void add(PageId page, ThreadMark mark) {
        List<ThreadMark> before = at(page);
        marks.putLast(page, hasOthers(before, mark) ? with(before, mark) : List.of(mark));
    }

    private static boolean hasOthers(List<ThreadMark> before, ThreadMark mark) {
        return before.size() > 1
                || before.size() == 1 && before.getFirst().thread() != mark.thread();
    }

    private static List<ThreadMark> with(List<ThreadMark> before, ThreadMark mark) {
        List<ThreadMark> now = new ArrayList<>(before);
        now.removeIf(other -> other.thread() == mark.thread());
        now.add(mark);
        return List.copyOf(now);
    }

    /** All threads that have stopped at a page; empty if they are not known. */
    List<ThreadMark> at(PageId page) {
        return marks.getOrDefault(page, List.of());
    }

    /** Records that a page has arrived although no thread has stopped at it. */
    void cameUnasked(PageId page) {
        marks.putLast(page, List.of());
    }

    /**
     * True if all threads that have stopped at a page are known to have been inside a section of
     * this lock.
     */
    boolean wereInside(LockId lock, PageId page) {
        List<ThreadMark> all = marks.get(page);
        return all != null
                && all.stream().allMatch(mark -> mark.section().equals(Optional.of(lock)));
    }
}
