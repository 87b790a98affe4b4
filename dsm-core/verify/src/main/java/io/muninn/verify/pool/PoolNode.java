package io.muninn.verify.pool;

import java.util.Arrays;

/**
 * A node between two steps. Not changed; {@link #copy} is for a run of a section.
 *
 * <p>A home uses the frames in place. Its copies are pages of {@link PoolProgram#WORDS} words; a
 * twin is of a dirty page alone. Pages are bits of masks.
 */
final class PoolNode {
    static final int NO_SECTION = -1;
    private static final long[] NOTHING = {};

    final long[] copies;
    final long[] twins;
    int mapped; // pages with a copy
    int dirty; // pages with stores since the last release
    int checked; // pages that were unsafe when they were mapped
    int published; // of a home: pages whose publications are not over
    int fresh; // of a home: pages that its release has found
    int entered; // of a home: pages that others have entered since their publication
    int announced; // of the mapped pages, those that an immediate transition has published
    int left; // sections that have not begun
    int kind = NO_SECTION;
    long[] results = NOTHING; // of the steps of the current section

    PoolNode(int words, int sections) {
        copies = new long[words];
        twins = new long[words];
        left = sections;
    }

    private PoolNode(PoolNode of) {
        copies = of.copies.clone();
        twins = of.twins.clone();
        mapped = of.mapped;
        dirty = of.dirty;
        checked = of.checked;
        published = of.published;
        fresh = of.fresh;
        entered = of.entered;
        announced = of.announced;
        left = of.left;
        kind = of.kind;
        results = of.results;
    }

    PoolNode copy() {
        return new PoolNode(this);
    }

    /** The node at the beginning of its next section. */
    PoolNode beginning(int section) {
        PoolNode next = copy();
        next.kind = section;
        next.left--;
        return next;
    }

    /** The node behind one more step of its section, with these results. */
    PoolNode behind(long[] more) {
        PoolNode next = copy();
        next.results = Arrays.copyOf(results, results.length + more.length);
        System.arraycopy(more, 0, next.results, results.length, more.length);
        return next;
    }

    /** The node behind its section, which has left its pages as they are here. */
    PoolNode ended() {
        PoolNode next = copy();
        next.kind = NO_SECTION;
        next.results = NOTHING;
        return next;
    }

    boolean isWithin() {
        return kind != NO_SECTION;
    }

    void hash(StateHash into) {
        into.add(copies);
        into.add(twins);
        into.add((long) mapped << Integer.SIZE | dirty);
        into.add((long) checked << Integer.SIZE | left);
        into.add((long) published << Integer.SIZE | entered);
        into.add(announced);
        into.add((long) kind << Integer.SIZE | results.length);
        into.add(results);
    }
}
