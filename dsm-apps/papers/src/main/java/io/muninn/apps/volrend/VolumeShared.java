package io.muninn.apps.volrend;

import io.muninn.api.Band;
import io.muninn.api.ByteArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.ImageTiles;
import io.muninn.apps.StealingQueues;

/**
 * VOLREND over shared memory. The root computes the densities. Each thread computes its planes of
 * the map and, level by level, of the octree, with a barrier after each. Both are only read
 * afterwards, and a node fetches the pages that its rays need. Each frame has its own image. The
 * queues of tiles are filled before each frame, and a barrier follows it.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 6.2. The paper does not describe the initial
 * assignment of tiles; here each thread has a band of tiles.
 */
final class VolumeShared implements DsmProgram {
    @Shared(Protocol.READ_ONLY)
    private final ByteArray voxels;

    @Shared(Protocol.LAZY)
    private final IntArray map;

    @Shared(Protocol.LAZY)
    private final ByteArray octree;

    /** Images of all frames, at least one. */
    @Shared(Protocol.LAZY)
    private final IntArray images;

    private final VolumeSize size;

    VolumeShared(VolumeSize size) {
        this.size = size;
        voxels = ByteArray.of(size.volume());
        map = IntArray.of(size.volume());
        octree = ByteArray.of(size.start(size.levels()));
        images = IntArray.of(Math.max(1, size.pixels()));
    }

    private VolumeMaps maps() {
        return new VolumeMaps(size, voxels, map, octree);
    }

    @Override
    public void initialize(DsmNode root) {
        maps().fill(0, size.voxels());
    }

    @Override
    public void run(DsmNode node) {
        VolumeMaps maps = maps();
        DsmBarrier mapped = node.barrier("mapped");
        Band planes = node.band(size.voxels());
        for (int z = planes.from(); z < planes.to(); z++) {
            maps.map(node, z);
        }
        mapped.await();
        for (int level = 0; level < size.levels(); level++) {
            Band cells = node.band(size.side(level));
            for (int z = cells.from(); z < cells.to(); z++) {
                maps.summarize(node, level, z);
            }
            mapped.await();
        }
        DsmBarrier rendered = node.barrier("rendered");
        StealingQueues queues = new StealingQueues(node, "tiles", size.tiles().count());
        for (int frame = 0; frame < size.frames(); frame++) {
            queues.fill();
            int from = frame * size.tiles().pixels();
            RayCaster caster = new RayCaster(maps, frame, true);
            size.tiles().shared(node, queues, images, from, caster);
            rendered.await();
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return VolumeSequential.verify(size, root, ImageTiles.pixels(images, size.pixels()));
    }
}
