package io.muninn.sim;

import io.muninn.model.PageId;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The diffs of one node: those that it has saved for others, and those that it keeps of others. */
final class SimDiffs {
    /** Checks what no protocol may do. */
    interface Check {
        void that(boolean condition, PageId page, String otherwise);
    }

    private record Name(PageId page, long number) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            int byPage = page.compareTo(other.page);
            return byPage != 0 ? byPage : Long.compare(number, other.number);
        }
    }

    private final Check check;
    private final TreeMap<Name, byte[]> saved = new TreeMap<>();
    private final Map<Name, byte[]> kept = new TreeMap<>();

    SimDiffs(Check check) {
        this.check = check;
    }

    /** The number of diffs of these pages that have not been freed. */
    long left(Predicate<PageId> pages) {
        return Stream.concat(saved.keySet().stream(), kept.keySet().stream())
                .map(Name::page)
                .filter(pages)
                .count();
    }

    /** Saves a diff; none if it is empty. */
    void save(PageId page, long interval, byte[] bytes) {
        check.that(
                bytes.length == 0 || saved.put(new Name(page, interval), bytes) == null,
                page,
                "a diff saved twice");
    }

    boolean isSaved(PageId page) {
        Name first = saved.ceilingKey(new Name(page, Long.MIN_VALUE));
        return first != null && first.page().equals(page);
    }

    MemorySegment saved(PageId page, long interval) {
        return named(saved, page, interval);
    }

    void drop(PageId page, long interval) {
        saved.remove(new Name(page, interval));
    }

    void keep(PageId page, long keep, byte[] bytes) {
        check.that(kept.put(new Name(page, keep), bytes) == null, page, "a diff kept twice");
    }

    MemorySegment kept(PageId page, long keep) {
        return named(kept, page, keep);
    }

    void dropKept(PageId page, long keep) {
        check.that(kept.remove(new Name(page, keep)) != null, page, "no kept diff " + keep);
    }

    private MemorySegment named(Map<Name, byte[]> diffs, PageId page, long number) {
        byte[] bytes = diffs.get(new Name(page, number));
        check.that(bytes != null, page, "there is no diff number " + number);
        return MemorySegment.ofArray(bytes);
    }
}
