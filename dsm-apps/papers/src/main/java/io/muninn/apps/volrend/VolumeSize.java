package io.muninn.apps.volrend;

import io.muninn.apps.ImageTiles;

/**
 * The sizes of volume and images of VOLREND.
 *
 * @param voxels number of voxels on each axis of the volume, at least 2
 * @param frames number of images, 0 or more
 * @param tiles tiles of each image
 * @param seed seed of the volume
 */
record VolumeSize(int voxels, int frames, ImageTiles tiles, int seed) {
    /** Voxels of a plane. */
    int plane() {
        return voxels * voxels;
    }

    /** Voxels of the volume. */
    int volume() {
        return voxels * voxels * voxels;
    }

    /** Levels of the octree; the last has one cell. */
    int levels() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(voxels - 1) + 1;
    }

    /** Cells of a level on each axis. */
    int side(int level) {
        return (voxels - 1 >> level) + 1;
    }

    /** The first cell of a level; for the level after the last, the number of all cells. */
    int start(int level) {
        int start = 0;
        for (int i = 0; i < level; i++) {
            start += side(i) * side(i) * side(i);
        }
        return start;
    }

    /** Pixels of all frames. */
    int pixels() {
        return frames * tiles.pixels();
    }
}
