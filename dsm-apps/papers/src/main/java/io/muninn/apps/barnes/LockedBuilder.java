package io.muninn.apps.barnes;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.apps.Pattern;

/**
 * All threads insert their bodies into one tree. Each cell has one of {@link #LOCKS} locks. After
 * barrier <em>inserted</em> the tree contains all bodies. Each thread then sums the cells that it
 * has created, level by level from the deepest. After each barrier <em>summed</em> a level is
 * complete.
 */
final class LockedBuilder implements TreeBuilder, CellLocks {
    private static final int LOCKS = 512;

    private final Octree tree;
    private final DsmBarrier inserted;
    private final DsmBarrier summed;
    private final DsmLock[] locks = new DsmLock[LOCKS];

    LockedBuilder(DsmNode node, Octree tree) {
        this.tree = tree;
        inserted = node.barrier("inserted");
        summed = node.barrier("summed");
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = node.lock("cell-" + i);
        }
    }

    @Override
    public void build(int[] mine) {
        for (int body : mine) {
            tree.insert(body, Octree.ROOT, 0, this);
        }
        int deepest = (int) inserted.awaitMax((double) tree.deepest());
        for (int level = deepest; level >= 0; level--) {
            tree.sumLevel(level);
            summed.await();
        }
    }

    @Override
    public void lock(int cell) {
        of(cell).lock();
    }

    @Override
    public void unlock(int cell) {
        of(cell).unlock();
    }

    private DsmLock of(int cell) {
        return locks[(int) (Pattern.mix(cell) & LOCKS - 1)];
    }
}
