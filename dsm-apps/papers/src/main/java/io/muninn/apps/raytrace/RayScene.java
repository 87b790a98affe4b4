package io.muninn.apps.raytrace;

import io.muninn.api.DoubleArray;
import io.muninn.api.IntArray;
import io.muninn.apps.Pattern;

/**
 * The scene, in the unit cube: clusters of small spheres and triangles above a floor, which
 * consists of the first two triangles. It is a function of the size and the seed.
 *
 * <p><b>Shape.</b> A primitive is a record of {@link #WIDTH} elements, 128 bytes:
 *
 * <pre>
 * element   sphere    triangle
 *  0         0         1
 *  1 to 3    centre    first corner
 *  4 to 6    radius    from the first to the second corner
 *  7 to 9    -         from the first to the third corner
 * 10 to 12   -         normal, of length 1
 * 13 to 15   colour    colour: red, green and blue, 0 to 1
 * </pre>
 *
 * @param primitives records, contiguous
 * @param grid the hierarchical grid, as {@link RayGrid} describes it
 */
record RayScene(DoubleArray primitives, IntArray grid) {
    /** Elements of a primitive. */
    static final int WIDTH = 16;

    static final int SPHERE = 0;
    static final int TRIANGLE = 1;

    private static final int EDGE = 4;
    static final int NORMAL = 10;
    static final int COLOUR = 13;

    /** Primitives of a cluster. */
    private static final int CLUSTER = 64;

    private static final double FLOOR = 0.02;

    /** A scene in local memory. */
    static RayScene local(RaySize size) {
        RayScene scene =
                new RayScene(
                        DoubleArray.local(WIDTH * size.primitives()),
                        IntArray.local(size.gridLength()));
        scene.fill(size);
        return scene;
    }

    /** Stores the scene. */
    void fill(RaySize size) {
        double[] all = new double[WIDTH * size.primitives()];
        for (int i = 0; i < size.primitives(); i++) {
            place(size.seed(), i, size.primitives(), all, WIDTH * i);
        }
        primitives.copyFrom(0, all, 0, all.length);
        int[] cells = new RayGrid(size, all).build();
        grid.copyFrom(0, cells, 0, cells.length);
    }

    private static void place(int seed, int index, int count, double[] all, int at) {
        if (index < 2) {
            double corner = 0.01 + 0.98 * index;
            double edge = index == 0 ? 0.98 : -0.98;
            set(all, at + 1, corner, corner, FLOOR);
            triangle(all, at, new double[] {edge, 0, 0}, new double[] {0, edge, 0});
            set(all, at + COLOUR, 0.7, 0.7, 0.6);
            return;
        }
        int cluster = index % Math.max(1, count / CLUSTER);
        double[] random = new double[9];
        for (int i = 0; i < random.length; i++) {
            random[i] = Pattern.at(seed, index, i);
        }
        set(
                all,
                at + 1,
                0.5 + 0.32 * Pattern.at(~seed, cluster, 0) + 0.1 * random[0],
                0.5 + 0.32 * Pattern.at(~seed, cluster, 1) + 0.1 * random[1],
                0.4 + 0.22 * Pattern.at(~seed, cluster, 2) + 0.1 * random[2]);
        double size = 0.012 + 0.006 * Pattern.at(~seed, index, 3);
        if (index % 2 == 0) {
            all[at + EDGE] = size;
        } else {
            double[] edge = {size * random[3], size, size * random[4]};
            double[] other = {size, size * random[5], size * random[6]};
            triangle(all, at, edge, other);
        }
        set(
                all,
                at + COLOUR,
                0.6 + 0.4 * Pattern.at(~seed, cluster, 4),
                0.6 + 0.4 * Pattern.at(~seed, cluster, 5),
                0.6 + 0.4 * random[7]);
    }

    private static void triangle(double[] all, int at, double[] edge, double[] other) {
        all[at] = TRIANGLE;
        set(all, at + EDGE, edge[0], edge[1], edge[2]);
        set(all, at + EDGE + 3, other[0], other[1], other[2]);
        double x = edge[1] * other[2] - edge[2] * other[1];
        double y = edge[2] * other[0] - edge[0] * other[2];
        double z = edge[0] * other[1] - edge[1] * other[0];
        double length = Math.sqrt(x * x + y * y + z * z);
        set(all, at + NORMAL, x / length, y / length, z / length);
    }

    private static void set(double[] all, int at, double x, double y, double z) {
        all[at] = x;
        all[at + 1] = y;
        all[at + 2] = z;
    }
}
