package io.muninn.model;

/**
 * A page: the unit of coherence. A region's pages are all of one size, a power-of-two number of the
 * machine's pages.
 *
 * @param region index of the region in the cluster's layout, from 0
 * @param index the page within its region, from 0
 */
public record PageId(int region, int index) implements Comparable<PageId> {
    public PageId {
        if (region < 0 || index < 0) {
            throw new IllegalArgumentException("page " + region + "/" + index + " is negative");
        }
    }

    /** Returns the page {@code pages} pages after this one, in the same region. */
    public PageId plus(int pages) {
        return new PageId(region, index + pages);
    }

    /** True if {@code other} is exactly {@code pages} pages after this one, in the same region. */
    public boolean isBefore(PageId other, int pages) {
        return region == other.region && index + pages == other.index;
    }

    /** Written by hand because a record's generated method is slow without C2, as in agents. */
    @Override
    public boolean equals(Object other) {
        return other instanceof PageId page && page.region == region && page.index == index;
    }

    @Override
    public int hashCode() {
        return 31 * region + index;
    }

    @Override
    public int compareTo(PageId other) {
        int byRegion = Integer.compare(region, other.region);
        return byRegion != 0 ? byRegion : Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return region + "/" + index;
    }
}
