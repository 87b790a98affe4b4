package io.muninn.apps.volrend;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.SameBits;

/** VOLREND on one thread, and the comparison of other versions with its images. */
final class VolumeSequential {
    private VolumeSequential() {}

    static double[] render(VolumeSize size, DsmNode node) {
        VolumeMaps maps = VolumeMaps.local(size);
        maps.fill(0, size.voxels());
        prepare(maps, node);
        return size.tiles().alone(node, size.frames(), frame -> new RayCaster(maps, frame, true));
    }

    /** Computes the map and the octree of a volume. */
    static void prepare(VolumeMaps maps, DsmNode node) {
        VolumeSize size = maps.size();
        for (int z = 0; z < size.voxels(); z++) {
            maps.map(node, z);
        }
        for (int level = 0; level < size.levels(); level++) {
            for (int z = 0; z < size.side(level); z++) {
                maps.summarize(node, level, z);
            }
        }
    }

    /** Compares the pixels of all frames with those of the sequential version. */
    static Verdict verify(VolumeSize size, DsmNode root, double[] results) {
        int side = size.tiles().side();
        String what =
                "sequence of " + size.frames() + " images of " + side + " by " + side + " pixels";
        return SameBits.verdict(what, results, render(size, root));
    }
}
