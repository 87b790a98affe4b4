package io.muninn.apps.raytrace;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.ImageTiles;
import io.muninn.apps.StealingQueues;

/**
 * RAYTRACE over shared memory. The root creates the scene, which is only read afterwards; a node
 * fetches the pages that its rays need. Each thread has a queue of tiles. Each pixel is stored
 * once. The only barrier is the one after filling the queues.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 6.2.
 */
final class RayShared implements DsmProgram {
    @Shared(Protocol.READ_ONLY)
    private final DoubleArray primitives;

    @Shared(Protocol.READ_ONLY)
    private final IntArray grid;

    @Shared(Protocol.LAZY)
    private final IntArray image;

    private final RaySize size;

    RayShared(RaySize size) {
        this.size = size;
        primitives = DoubleArray.of(RayScene.WIDTH * size.primitives());
        grid = IntArray.of(size.gridLength());
        image = IntArray.of(size.tiles().pixels());
    }

    @Override
    public void initialize(DsmNode root) {
        new RayScene(primitives, grid).fill(size);
    }

    @Override
    public void run(DsmNode node) {
        StealingQueues queues = new StealingQueues(node, "tiles", size.tiles().count());
        queues.fill();
        RayTracer tracer = new RayTracer(size, new RayScene(primitives, grid));
        size.tiles().shared(node, queues, image, 0, tracer);
    }

    @Override
    public Verdict verify(DsmNode root) {
        return RaySequential.verify(size, root, ImageTiles.pixels(image, image.length()));
    }
}
