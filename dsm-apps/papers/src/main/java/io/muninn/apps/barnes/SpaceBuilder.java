package io.muninn.apps.barnes;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;
import io.muninn.api.Reduction;

/**
 * The space is divided into subspaces. Each thread lists its bodies by subspace, then builds the
 * subtrees of its subspaces from the lists of all threads, and links them into the top of the tree,
 * which the first thread builds. After each barrier <em>counted</em> the bodies of some cells have
 * been counted. After <em>listed</em> all lists are complete, after <em>built</em> all subtrees,
 * and after <em>summed</em> the sums of the top, too. There are no locks.
 *
 * <p>Source: Shan and Singh, "Parallel tree building on a range of shared address space
 * multiprocessors", IPPS 1998, which Bilas et al. call Barnes(space).
 */
final class SpaceBuilder implements TreeBuilder {
    private static final Reduction<double[]> SUMS = Reduction.ofDoubles(Reduction.Operator.SUM);

    /** Least number of subspaces per thread, if there are enough bodies. */
    private static final int SUBSPACES = 4;

    /** Most parts of the space per thread. */
    private static final int PARTS_OF_THREAD = 256;

    private static final int PARTS_MAX = 16_384;

    private final int bodies;
    private final Octree tree;
    private final int position;
    private final int positions;

    /** Most parts of the space. */
    private final int parts;

    /** By thread, then by subspace, one more than the first body of a list, or 0. */
    private final IntArray heads;

    /** By body, one more than the next body of its list, or 0. */
    private final IntArray next;

    private final DsmBarrier counted;
    private final DsmBarrier listed;
    private final DsmBarrier built;
    private final DsmBarrier summed;

    /**
     * @param bodies number of all bodies
     */
    SpaceBuilder(int bodies, DsmNode node, Octree tree) {
        this.bodies = bodies;
        this.tree = tree;
        position = node.position();
        positions = node.positions();
        parts = Math.min(PARTS_MAX, PARTS_OF_THREAD * positions);
        heads = node.allocate("heads", IntArray.of(positions * parts), BarnesShared.PROTOCOL);
        next = node.allocate("next", IntArray.of(bodies), BarnesShared.PROTOCOL);
        counted = node.barrier("counted");
        listed = node.barrier("listed");
        built = node.barrier("built");
        summed = node.barrier("summed");
    }

    @Override
    public void build(int[] mine) {
        int limit = Math.max(Octree.LEAF_BODIES, bodies / (SUBSPACES * positions));
        Subspaces spaces = new Subspaces(tree, bodies, limit, parts, mine);
        while (spaces.isDividing()) {
            spaces.divide(counted.await(SUMS, spaces.counts()));
        }
        list(spaces, mine);
        listed.await();
        if (position == 0) {
            spaces.buildTop();
        }
        for (Subspaces.Part part : spaces.of(position, positions)) {
            buildSubtree(part);
        }
        built.await();
        if (position == 0) {
            spaces.sumTop();
        }
        summed.await();
    }

    private int head(int thread, int part) {
        return thread * parts + part;
    }

    private void list(Subspaces spaces, int[] mine) {
        int[] zeros = new int[spaces.count()];
        heads.copyFrom(head(position, 0), zeros, 0, zeros.length);
        for (int i = 0; i < mine.length; i++) {
            int head = head(position, spaces.partOf(i));
            next.set(mine[i], heads.get(head));
            heads.set(head, mine[i] + 1);
        }
    }

    private void buildSubtree(Subspaces.Part part) {
        int cell = Octree.ROOT;
        if (part.level() > 0) {
            cell = tree.create(part.level());
            tree.setSlot(part.above(), part.octant(), cell);
        }
        for (int thread = 0; thread < positions; thread++) {
            int one = heads.get(head(thread, part.number()));
            while (one != 0) {
                tree.insert(one - 1, cell, part.level(), CellLocks.NONE);
                one = next.get(one - 1);
            }
        }
        tree.sumAll(cell);
    }
}
