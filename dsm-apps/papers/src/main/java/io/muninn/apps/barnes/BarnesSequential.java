package io.muninn.apps.barnes;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import java.util.stream.IntStream;

/** Both programs on one thread. */
final class BarnesSequential {
    private BarnesSequential() {}

    static double[] run(BarnesSize size, DsmNode node) {
        DoubleArray bodies = DoubleArray.local(Bodies.length(size));
        Bodies.place(size, bodies);
        Octree tree = Octree.local(size, bodies);
        Gravity gravity = new Gravity(size, bodies, tree);
        int[] all = IntStream.range(0, size.bodies()).toArray();
        for (int step = 0; step < size.steps(); step++) {
            build(tree, all, Bodies.drift(bodies, all));
            Bodies.kick(bodies, all, gravity.on(all, node));
        }
        return Bodies.all(bodies);
    }

    /** Builds a tree that only the calling thread uses. */
    static void build(Octree tree, int[] all, double reach) {
        tree.clear();
        tree.reach(reach);
        for (int body : all) {
            tree.insert(body, Octree.ROOT, 0, CellLocks.NONE);
        }
        tree.sumAll(Octree.ROOT);
    }
}
