package io.muninn.apps.barnes;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Both programs over shared memory. After barrier <em>moved</em> all bodies have the positions at
 * which forces are computed, and the cells of the previous tree are cleared. When the tree is
 * built, each thread computes the accelerations of the bodies in its zone. After barrier
 * <em>forced</em> no thread reads positions, and each thread moves its bodies.
 *
 * <p>The record of a body never moves in memory, so bodies of several threads share a page. The
 * cells of a thread are contiguous.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, "Supporting a Coherent Shared Address Space Across
 * SMP Nodes", section 6.2.
 */
final class BarnesShared implements DsmProgram {
    /**
     * The protocol of all variables: threads of several nodes store to a page, and many nodes then
     * load from it.
     */
    static final Protocol PROTOCOL = Protocol.HOME_BASED;

    /**
     * Most threads. Each thread has room for all cells, so more threads would exceed the length of
     * an array.
     */
    static final int POSITIONS_MAX = 1024;

    @Shared(Protocol.HOME_BASED)
    private final DoubleArray bodies;

    private final BarnesSize size;
    private final BiFunction<DsmNode, Octree, TreeBuilder> builders;

    /**
     * @param builders makes a thread's builder; collective
     */
    BarnesShared(BarnesSize size, BiFunction<DsmNode, Octree, TreeBuilder> builders) {
        this.size = size;
        this.builders = builders;
        bodies = DoubleArray.of(Bodies.length(size));
    }

    @Override
    public void initialize(DsmNode root) {
        Bodies.place(size, bodies);
    }

    @Override
    public void run(DsmNode node) {
        Octree tree = tree(node);
        TreeBuilder builder = builders.apply(node, tree);
        Gravity gravity = new Gravity(size, bodies, tree);
        DsmBarrier moved = node.barrier("moved");
        DsmBarrier forced = node.barrier("forced");
        Band band = Band.of(size.bodies(), node.position(), node.positions());
        int[] mine = IntStream.range(band.from(), band.to()).toArray();
        for (int step = 0; step < size.steps(); step++) {
            double reach = Bodies.drift(bodies, mine);
            tree.clear();
            tree.reach(moved.awaitMax(reach));
            builder.build(mine);
            mine = tree.zone(node.position(), node.positions());
            double[] forces = gravity.on(mine, node);
            forced.await();
            Bodies.kick(bodies, mine, forces);
        }
    }

    private Octree tree(DsmNode node) {
        int cells = node.positions() * size.cells();
        IntArray slots = node.allocate("slots", IntArray.of(Octree.OCTANTS * cells), PROTOCOL);
        DoubleArray sums = node.allocate("sums", DoubleArray.of(Octree.SUMS * cells), PROTOCOL);
        return new Octree(size, bodies, slots, sums, node.position());
    }

    @Override
    public Verdict verify(DsmNode root) {
        return BarnesEntry.verify(size, root, Bodies.all(bodies));
    }
}
