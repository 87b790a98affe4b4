package io.muninn.apps.volrend;

import io.muninn.api.ByteArray;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;

/**
 * The volume, and the opacities, normals and octree that are computed from it before rays are cast.
 *
 * <p><b>Shape.</b> Voxel (x, y, z) is element x + n (y + n z), where n is the number of voxels on
 * an axis. An element of the map has the opacity in its highest byte, 0 to 255, and below it the
 * normal, x first, each part from -127 to 127; it points to lower density. A cell of the octree has
 * the greatest opacity in it. Cell (x, y, z) of level 0 consists of the voxels from (x, y, z) to (x
 * + 1, y + 1, z + 1), between which a sample is interpolated; a cell of any other level consists of
 * eight cells of the previous level.
 *
 * <p>Source: Levoy, "Display of Surfaces from Volume Data", IEEE Computer Graphics and Applications
 * 8(3), 1988; Levoy, "Efficient Ray Tracing of Volume Data", ACM Transactions on Graphics 9(3),
 * 1990. Departure: the octree contains no least opacities, because rays do not need them.
 *
 * @param voxels densities
 * @param map opacity and normal of each voxel
 * @param octree greatest opacity of each cell, level by level
 */
record VolumeMaps(VolumeSize size, ByteArray voxels, IntArray map, ByteArray octree) {
    /** Simple operations for the opacity and normal of a voxel. */
    private static final int MAP_UNITS = 12;

    /** Simple operations for a cell of the octree. */
    private static final int CELL_UNITS = 8;

    /** Least density of a visible voxel. */
    private static final int DENSITY_MIN = 50;

    /** Least gradient at which a voxel has its full opacity. */
    private static final double GRADIENT_MAX = 60;

    /** Empty maps in local memory. */
    static VolumeMaps local(VolumeSize size) {
        return new VolumeMaps(
                size,
                ByteArray.local(size.volume()),
                IntArray.local(size.volume()),
                ByteArray.local(size.start(size.levels())));
    }

    /** Stores the densities of some planes. */
    void fill(int from, int to) {
        VolumeShape shape = new VolumeShape(size);
        int n = size.voxels();
        byte[] plane = new byte[size.plane()];
        for (int z = from; z < to; z++) {
            for (int i = 0; i < plane.length; i++) {
                plane[i] = (byte) shape.density(i % n, i / n, z);
            }
            voxels.copyFrom(z * plane.length, plane, 0, plane.length);
        }
    }

    /**
     * Stores opacities and normals of a plane. Loads densities of this plane and its two
     * neighbours.
     */
    void map(DsmNode node, int z) {
        int n = size.voxels();
        byte[] here = densities(z);
        byte[] below = densities(Math.max(z - 1, 0));
        byte[] above = densities(Math.min(z + 1, n - 1));
        int[] target = new int[here.length];
        for (int y = 0; y < n; y++) {
            int before = Math.max(y - 1, 0) * n;
            int behind = Math.min(y + 1, n - 1) * n;
            for (int x = 0; x < n; x++) {
                int at = y * n + x;
                int left = y * n + Math.max(x - 1, 0);
                int right = y * n + Math.min(x + 1, n - 1);
                target[at] =
                        mapped(
                                here[at] & 0xff,
                                (here[left] & 0xff) - (here[right] & 0xff),
                                (here[before + x] & 0xff) - (here[behind + x] & 0xff),
                                (below[at] & 0xff) - (above[at] & 0xff));
            }
        }
        map.copyFrom(z * target.length, target, 0, target.length);
        node.work((long) MAP_UNITS * target.length);
    }

    private byte[] densities(int z) {
        byte[] plane = new byte[size.plane()];
        voxels.copyTo(z * plane.length, plane, 0, plane.length);
        return plane;
    }

    /**
     * The element of a voxel.
     *
     * @param x minus twice the gradient of the density; likewise {@code y} and {@code z}
     */
    private static int mapped(int density, int x, int y, int z) {
        double gradient = Math.sqrt((double) x * x + (double) y * y + (double) z * z);
        if (density < DENSITY_MIN || gradient == 0) {
            return 0;
        }
        double dense = (double) density / VolumeShape.BONE;
        double opacity = 255 * dense * dense * Math.min(1, gradient / (2 * GRADIENT_MAX));
        double scale = 127 / gradient;
        return (int) Math.min(255, opacity) << 24
                | ((int) (x * scale) & 0xff) << 16
                | ((int) (y * scale) & 0xff) << 8
                | (int) (z * scale) & 0xff;
    }

    /** Stores a plane of cells of a level of the octree. The previous level must be complete. */
    void summarize(DsmNode node, int level, int z) {
        int side = size.side(level);
        byte[] target = new byte[side * side];
        if (level == 0) {
            greatest(opacities(z), opacities(Math.min(z + 1, side - 1)), side, 1, target);
        } else {
            int before = size.side(level - 1);
            byte[] low = cells(level - 1, 2 * z);
            byte[] high = cells(level - 1, Math.min(2 * z + 1, before - 1));
            greatest(low, high, before, 2, target);
        }
        octree.copyFrom(size.start(level) + z * target.length, target, 0, target.length);
        node.work((long) CELL_UNITS * target.length);
    }

    /**
     * Computes the maximum of every two by two by two elements.
     *
     * @param low a plane of {@code side} rows and columns
     * @param high the next plane
     * @param stride distance in the planes between the sources of neighbouring target elements
     */
    private static void greatest(byte[] low, byte[] high, int side, int stride, byte[] target) {
        int columns = (side - 1) / stride + 1;
        for (int i = 0; i < target.length; i++) {
            int y = i / columns * stride;
            int x = i % columns * stride;
            int behind = Math.min(y + 1, side - 1);
            int right = Math.min(x + 1, side - 1);
            int greatest = 0;
            for (byte[] plane : new byte[][] {low, high}) {
                greatest = Math.max(greatest, plane[y * side + x] & 0xff);
                greatest = Math.max(greatest, plane[y * side + right] & 0xff);
                greatest = Math.max(greatest, plane[behind * side + x] & 0xff);
                greatest = Math.max(greatest, plane[behind * side + right] & 0xff);
            }
            target[i] = (byte) greatest;
        }
    }

    private byte[] opacities(int z) {
        int[] mapped = new int[size.plane()];
        map.copyTo(z * mapped.length, mapped, 0, mapped.length);
        byte[] opacities = new byte[mapped.length];
        for (int i = 0; i < mapped.length; i++) {
            opacities[i] = (byte) (mapped[i] >>> 24);
        }
        return opacities;
    }

    private byte[] cells(int level, int z) {
        byte[] plane = new byte[size.side(level) * size.side(level)];
        octree.copyTo(size.start(level) + z * plane.length, plane, 0, plane.length);
        return plane;
    }
}
