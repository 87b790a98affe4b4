package io.muninn.apps.barnes;

import java.util.ArrayList;
import java.util.List;

/**
 * The division of space into subspaces, the same on all threads: cells with more bodies than a
 * limit are divided, level by level. The divided cells are the top of the tree. They are the first
 * cells of the first thread, in the order of division; the root is the first.
 *
 * <p><b>Threads.</b> Each has its own instance.
 */
final class Subspaces {
    /**
     * A cell of the top, or a subspace.
     *
     * @param number index in the order of creation
     * @param above number of the divided cell of the top that contains the part
     * @param octant octant of that cell
     * @param bodies number of bodies in the part, of all threads
     */
    record Part(int number, int above, int octant, int level, int bodies) {}

    /** Index among the cells of the top of a part that is not divided. */
    private static final int NONE = -1;

    private final Octree tree;
    private final int limit;
    private final int most;
    private final int[] mine;

    private final List<Part> parts = new ArrayList<>();

    /** For each part, its index among the cells of the top. */
    private final List<Integer> cells = new ArrayList<>();

    /** For each cell of the top, the parts of its octants; 0 for an octant without bodies. */
    private final List<int[]> children = new ArrayList<>();

    /** The first cell of the top whose bodies have not been counted. */
    private int uncounted;

    /** The parts of this thread's bodies, by index in {@link #mine}. */
    private final int[] places;

    /**
     * @param bodies number of all bodies
     * @param limit most bodies of a subspace, at least those of a leaf
     * @param most maximum number of parts; subspaces exceed the limit if more would be needed
     * @param mine bodies of this thread
     */
    Subspaces(Octree tree, int bodies, int limit, int most, int[] mine) {
        this.tree = tree;
        this.limit = limit;
        this.most = most;
        this.mine = mine;
        places = new int[mine.length];
        add(new Part(0, 0, 0, 0, bodies));
    }

    private void add(Part part) {
        int partsMax = 1 + Octree.OCTANTS * (children.size() + 1);
        boolean isDivided =
                part.bodies() > limit && part.level() < Octree.LEVELS && partsMax <= most;
        parts.add(part);
        cells.add(isDivided ? children.size() : NONE);
        if (isDivided) {
            children.add(new int[Octree.OCTANTS]);
        }
    }

    /** Whether there are cells of the top whose bodies have not been counted. */
    boolean isDividing() {
        return uncounted < children.size();
    }

    /** The number of this thread's bodies in each octant of the uncounted cells. */
    double[] counts() {
        double[] counts = new double[Octree.OCTANTS * (children.size() - uncounted)];
        for (int i = 0; i < mine.length; i++) {
            int cell = cells.get(places[i]);
            if (cell >= uncounted) {
                counts[Octree.OCTANTS * (cell - uncounted) + octant(i)]++;
            }
        }
        return counts;
    }

    private int octant(int place) {
        return tree.octant(mine[place], parts.get(places[place]).level());
    }

    /**
     * Creates the parts below the cells that have been counted.
     *
     * @param counts the sums over all threads
     */
    void divide(double[] counts) {
        int from = uncounted;
        uncounted = children.size();
        int[] divided = new int[uncounted - from];
        for (int part = 0; part < parts.size(); part++) {
            if (cells.get(part) >= from) {
                divided[cells.get(part) - from] = part;
            }
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                int cell = from + i / Octree.OCTANTS;
                int octant = i % Octree.OCTANTS;
                int level = parts.get(divided[cell - from]).level() + 1;
                children.get(cell)[octant] = parts.size();
                add(new Part(parts.size(), cell, octant, level, (int) counts[i]));
            }
        }
        for (int i = 0; i < mine.length; i++) {
            int cell = cells.get(places[i]);
            if (cell >= from) {
                places[i] = children.get(cell)[octant(i)];
            }
        }
    }

    /** Number of parts. */
    int count() {
        return parts.size();
    }

    /** The number of the subspace that contains a body. */
    int partOf(int place) {
        return places[place];
    }

    /**
     * The subspaces that a thread builds. All threads have about the same number of bodies. The
     * subspaces of a thread are consecutive in the order of the tree.
     */
    List<Part> of(int position, int positions) {
        List<Part> owned = new ArrayList<>();
        collect(0, 0, position, positions, owned);
        return owned;
    }

    private void collect(int number, long from, int position, int positions, List<Part> owned) {
        Part part = parts.get(number);
        int cell = cells.get(number);
        if (cell == NONE) {
            long middle = 2 * from + part.bodies();
            if (middle * positions / (2L * parts.getFirst().bodies()) == position) {
                owned.add(part);
            }
            return;
        }
        long before = from;
        for (int child : children.get(cell)) {
            if (child != 0) {
                collect(child, before, position, positions, owned);
                before += parts.get(child).bodies();
            }
        }
    }

    /**
     * Creates the cells of the top and links them with each other. Called by the first thread only.
     */
    void buildTop() {
        for (Part part : parts) {
            int cell = cells.get(part.number());
            if (cell > Octree.ROOT) {
                int created = tree.create(part.level());
                if (created != cell) {
                    throw new IllegalStateException("cell " + created + " is not " + cell);
                }
                tree.setSlot(part.above(), part.octant(), cell);
            }
        }
    }

    /** Sums the cells of the top from the bottom up. Called by the first thread only. */
    void sumTop() {
        for (int cell = children.size() - 1; cell >= Octree.ROOT; cell--) {
            tree.sum(cell);
        }
    }
}
