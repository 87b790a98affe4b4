package io.muninn.apps.barnes;

import static io.muninn.apps.barnes.Bodies.COST;
import static io.muninn.apps.barnes.Bodies.MASS;
import static io.muninn.apps.barnes.Bodies.WIDTH;
import static io.muninn.apps.barnes.Bodies.X;

import io.muninn.api.DoubleArray;
import io.muninn.api.IntArray;
import java.util.Arrays;

/**
 * One thread's view of an octree. The root is a cube around the origin whose edge is a power of
 * two. A cell with up to {@link #LEAF_BODIES} bodies is a leaf. Any other cell has a child for each
 * octant that contains bodies. So the tree depends only on positions. The indices of cells also
 * depend on the thread that creates them.
 *
 * <p>A cell has eight <em>slots</em>. A slot of a leaf is {@code -1 - body}; a slot of an inner
 * cell is the index of the child in that octant; 0 is an empty slot. A child is never replaced
 * while a tree is built. Each cell has <em>sums</em>: its mass, its centre of mass, and the costs
 * of its bodies.
 *
 * <p>Each thread has a range of cells, which no other thread creates or clears.
 *
 * <p>Source: Barnes and Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324,
 * 1986; Singh, Holt, Totsuka, Gupta and Hennessy, "Load balancing and data locality in adaptive
 * hierarchical N-body methods", J. Parallel and Distributed Computing 27, 1995 (zones of costs);
 * Woo, Ohara, Torrie, Singh and Gupta, "The SPLASH-2 programs", ISCA 1995 (several bodies in a
 * leaf).
 */
final class Octree {
    static final int ROOT = 0;
    static final int OCTANTS = 8;
    static final int LEAF_BODIES = OCTANTS;

    /** Elements of the sums of a cell. */
    static final int SUMS = 5;

    private static final int CENTRE = 1;
    private static final int COSTS = 4;

    /** Levels of the tree, which is also the number of bits of a coordinate. */
    static final int LEVELS = 31;

    private final DoubleArray bodies;
    private final IntArray slots;
    private final DoubleArray sums;

    /** The first of this thread's cells. */
    private final int first;

    private final int end;

    /** The next of this thread's cells to be created. */
    private int next;

    /** Levels of this thread's cells. */
    private final byte[] levels;

    /** Half the edge of the root. */
    private double half;

    /**
     * @param slots slots of the cells of all threads; likewise {@code sums}
     * @param position position of the thread
     */
    Octree(BarnesSize size, DoubleArray bodies, IntArray slots, DoubleArray sums, int position) {
        this.bodies = bodies;
        this.slots = slots;
        this.sums = sums;
        first = position * size.cells();
        end = first + size.cells();
        next = Math.max(first, ROOT + 1);
        levels = new byte[size.cells()];
    }

    /** A tree that only one thread uses. */
    static Octree local(BarnesSize size, DoubleArray bodies) {
        return new Octree(
                size,
                bodies,
                IntArray.local(OCTANTS * size.cells()),
                DoubleArray.local(SUMS * size.cells()),
                0);
    }

    /** Removes this thread's cells. On the first thread, the root remains, without bodies. */
    void clear() {
        int[] zeros = new int[OCTANTS * (next - first)];
        slots.copyFrom(OCTANTS * first, zeros, 0, zeros.length);
        next = Math.max(first, ROOT + 1);
    }

    /**
     * Sets the edge of the root.
     *
     * @param reach the largest absolute value of a coordinate of a body
     */
    void reach(double reach) {
        half = Math.scalb(1.0, Math.getExponent(reach) + 1);
    }

    /** Edge of a cell of a level. */
    double edge(int level) {
        return Math.scalb(half, 1 - level);
    }

    /** The octant of a cell that contains a body. */
    int octant(int body, int level) {
        int bit = LEVELS - 1 - level;
        int at = WIDTH * body + X;
        return bit(bodies.get(at), bit)
                | bit(bodies.get(at + 1), bit) << 1
                | bit(bodies.get(at + 2), bit) << 2;
    }

    private int bit(double position, int bit) {
        return (int) ((position / half + 1) * (1 << LEVELS - 1)) >>> bit & 1;
    }

    /** A slot of a cell. */
    int slot(int cell, int octant) {
        return slots.get(OCTANTS * cell + octant);
    }

    void setSlot(int cell, int octant, int slot) {
        slots.set(OCTANTS * cell + octant, slot);
    }

    static boolean isCell(int slot) {
        return slot > 0;
    }

    static boolean isBody(int slot) {
        return slot < 0;
    }

    /** Converts a slot of a leaf to its body, and a body to its slot. */
    static int body(int slot) {
        return -1 - slot;
    }

    /** Creates an empty cell of this thread. */
    int create(int level) {
        if (next == end) {
            throw new IllegalStateException(
                    "a thread has more than " + levels.length + " cells of the tree");
        }
        levels[next - first] = (byte) level;
        return next++;
    }

    /**
     * Inserts a body at or below a cell that contains its position. The descent takes no lock, so
     * its loads race with stores of other threads. A child that it loads is valid, because no child
     * is replaced. If it loads no child, it repeats the load under the cell's lock.
     */
    void insert(int body, int cell, int level, CellLocks locks) {
        int here = cell;
        int depth = level;
        int slot = slot(here, octant(body, depth));
        while (isCell(slot)) {
            here = slot;
            depth++;
            slot = depth < LEVELS ? slot(here, octant(body, depth)) : 0;
        }
        int[] below;
        locks.lock(here);
        try {
            below = add(body, here, depth);
        } finally {
            locks.unlock(here);
        }
        for (int other : below) {
            insert(other, here, depth, locks);
        }
    }

    /**
     * Adds a body to a cell if that is a leaf with an empty slot.
     *
     * @return the bodies to be inserted below the cell; their children have been created
     */
    private int[] add(int body, int cell, int level) {
        int[] content = content(cell);
        int[] below = {body};
        if (isLeaf(content)) {
            if (content.length < LEAF_BODIES) {
                setSlot(cell, content.length, body(body));
                return new int[0];
            }
            below = Arrays.copyOf(below, LEAF_BODIES + 1);
            for (int i = 0; i < LEAF_BODIES; i++) {
                below[1 + i] = body(content[i]);
                setSlot(cell, i, 0);
            }
        }
        if (level == LEVELS) {
            throw new IllegalStateException(
                    "more than " + LEAF_BODIES + " bodies are at the position of body " + body);
        }
        for (int other : below) {
            int octant = octant(other, level);
            if (!isCell(slot(cell, octant))) {
                setSlot(cell, octant, create(level + 1));
            }
        }
        return below;
    }

    /** The non-empty slots of a cell. */
    private int[] content(int cell) {
        int[] content = new int[OCTANTS];
        int count = 0;
        for (int i = 0; i < OCTANTS; i++) {
            int slot = slot(cell, i);
            if (slot != 0) {
                content[count++] = slot;
            }
        }
        return Arrays.copyOf(content, count);
    }

    private static boolean isLeaf(int[] content) {
        return content.length == 0 || isBody(content[0]);
    }

    /** Level of this thread's deepest cell; 0 if it has no cells. */
    int deepest() {
        int deepest = 0;
        for (int cell = first; cell < next; cell++) {
            deepest = Math.max(deepest, levels[cell - first]);
        }
        return deepest;
    }

    /** Sums this thread's cells of a level. The cells of the next level must have been summed. */
    void sumLevel(int level) {
        for (int cell = first; cell < next; cell++) {
            if (levels[cell - first] == level) {
                sum(cell);
            }
        }
    }

    /** Sums a cell and all its descendants. */
    void sumAll(int cell) {
        for (int slot : content(cell)) {
            if (isCell(slot)) {
                sumAll(slot);
            }
        }
        sum(cell);
    }

    /** Sums a cell whose children have been summed. Sorts the bodies of a leaf before. */
    void sum(int cell) {
        sortBodies(cell);
        double[] total = new double[SUMS];
        for (int slot : content(cell)) {
            double mass = isCell(slot) ? element(slot, 0) : bodies.get(WIDTH * body(slot) + MASS);
            total[0] += mass;
            for (int axis = 0; axis < Bodies.AXES; axis++) {
                total[CENTRE + axis] +=
                        mass
                                * (isCell(slot)
                                        ? element(slot, CENTRE + axis)
                                        : bodies.get(WIDTH * body(slot) + X + axis));
            }
            total[COSTS] += cost(slot);
        }
        for (int axis = 0; axis < Bodies.AXES; axis++) {
            total[CENTRE + axis] /= total[0];
        }
        sums.copyFrom(SUMS * cell, total, 0, SUMS);
    }

    private void sortBodies(int cell) {
        int[] content = content(cell);
        if (!isLeaf(content)) {
            return;
        }
        int[] sorted = Arrays.stream(content).map(Octree::body).sorted().toArray();
        for (int i = 0; i < sorted.length; i++) {
            setSlot(cell, i, body(sorted[i]));
        }
    }

    private double element(int cell, int element) {
        return sums.get(SUMS * cell + element);
    }

    /** Mass of a cell. */
    double mass(int cell) {
        return element(cell, 0);
    }

    /** Coordinate of the centre of mass of a cell. */
    double centre(int cell, int axis) {
        return element(cell, CENTRE + axis);
    }

    /** The cost of a slot, an integer. */
    private long cost(int slot) {
        return (long) (isCell(slot) ? element(slot, COSTS) : bodies.get(WIDTH * body(slot) + COST));
    }

    /**
     * The bodies of a thread. A body belongs to the thread whose share of the total cost contains
     * the sum of the costs of all preceding bodies, in the order of the tree.
     */
    int[] zone(int position, int positions) {
        return new Zone(position, positions).bodies();
    }

    private final class Zone {
        private final int position;
        private final int positions;
        private final long total;
        private int[] found = new int[64];
        private int count;

        Zone(int position, int positions) {
            this.position = position;
            this.positions = positions;
            total = (long) element(ROOT, COSTS);
        }

        int[] bodies() {
            visit(ROOT, 0);
            return Arrays.copyOf(found, count);
        }

        private long owner(long before) {
            return before * positions / total;
        }

        private void visit(int cell, long from) {
            long before = from;
            for (int slot : content(cell)) {
                long behind = before + cost(slot);
                if (isCell(slot)) {
                    if (owner(before) <= position && owner(behind - 1) >= position) {
                        visit(slot, before);
                    }
                } else if (owner(before) == position) {
                    add(body(slot));
                }
                before = behind;
            }
        }

        private void add(int body) {
            if (count == found.length) {
                found = Arrays.copyOf(found, 2 * count);
            }
            found[count++] = body;
        }
    }
}
