package io.muninn.apps.volrend;

import io.muninn.api.ByteArray;
import io.muninn.api.IntArray;
import io.muninn.apps.ImageTiles;

/**
 * Computes pixels of one frame. Rays are parallel, and sampled at equal distances from their entry
 * into the volume. A sample is interpolated between eight voxels, shaded by its normal, and
 * attenuated by the opacity of the samples before it. A ray ends early when its opacity is almost
 * complete. It leaps over transparent cells of the octree, whose samples would contribute nothing.
 * There is one ray per pixel, without adaptive sampling, as in the paper.
 *
 * <p><b>Threads.</b> Confined to one thread.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 6.2; Levoy, as in {@link VolumeMaps}.
 */
final class RayCaster implements ImageTiles.Renderer {
    /** Simple operations for a sample. */
    private static final int SAMPLE_UNITS = 50;

    /** Simple operations for a cell of the octree. */
    private static final int CELL_UNITS = 2;

    /** Rotation of the view from frame to frame, in degrees. */
    private static final double TURN = 5;

    /** Angle by which the view looks down, in degrees. */
    private static final double DOWN = 20;

    /** Width of the image, relative to the width of the volume. */
    private static final double WIDTH = 1.1;

    /** Distance between samples, in voxels. */
    private static final double STEP = 1;

    /** Opacity at which a ray ends. */
    private static final double COVERED_MAX = 0.95;

    private static final double AMBIENT = 0.2;

    /** The greatest value of a pixel. */
    private static final int WHITE = 65_535;

    private final VolumeSize size;
    private final IntArray map;
    private final ByteArray octree;
    private final boolean leaps;

    /** The first cell of each level. */
    private final int[] starts;

    private final double[] right;
    private final double[] up;
    private final double[] forward;

    /** Direction to the light, of length 1. */
    private final double[] light = new double[3];

    /** Origin of the current ray. */
    private final double[] origin = new double[3];

    private final double[] point = new double[3];
    private final int[] voxel = new int[3];

    /** The current sample: opacity, then opacity times normal, x, y and z. */
    private final double[] sample = new double[4];

    private long units;

    /**
     * @param leaps whether rays leap over transparent cells; the image is the same
     */
    RayCaster(VolumeMaps maps, int frame, boolean leaps) {
        size = maps.size();
        map = maps.map();
        octree = maps.octree();
        this.leaps = leaps;
        starts = new int[size.levels()];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = size.start(i);
        }
        double turn = StrictMath.toRadians(TURN * frame);
        double down = StrictMath.toRadians(DOWN);
        double sine = StrictMath.sin(turn);
        double cosine = StrictMath.cos(turn);
        double level = StrictMath.cos(down);
        double fall = StrictMath.sin(down);
        right = new double[] {cosine, sine, 0};
        up = new double[] {-sine * fall, cosine * fall, level};
        forward = new double[] {-sine * level, cosine * level, -fall};
        for (int i = 0; i < 3; i++) {
            light[i] = 0.8 * -forward[i] + 0.48 * up[i] + 0.36 * right[i]; // of length 1
        }
    }

    @Override
    public long units() {
        long since = units;
        units = 0;
        return since;
    }

    @Override
    public int pixel(int row, int column) {
        int side = size.tiles().side();
        double middle = (size.voxels() - 1) / 2.0;
        double u = WIDTH * size.voxels() * ((column + 0.5) / side - 0.5);
        double v = WIDTH * size.voxels() * (0.5 - (row + 0.5) / side);
        double in = Double.NEGATIVE_INFINITY;
        double out = Double.POSITIVE_INFINITY;
        for (int i = 0; i < 3; i++) {
            origin[i] = middle + u * right[i] + v * up[i];
            if (forward[i] != 0) {
                double a = -origin[i] / forward[i];
                double b = (2 * middle - origin[i]) / forward[i];
                in = Math.max(in, Math.min(a, b));
                out = Math.min(out, Math.max(a, b));
            } else if (origin[i] < 0 || origin[i] > 2 * middle) {
                return 0;
            }
        }
        return (int) (WHITE * Math.min(1, cast(in, out)));
    }

    /** The brightness of the ray from distance {@code in} to distance {@code out}. */
    private double cast(double in, double out) {
        double brightness = 0;
        double covered = 0;
        long count = in > out ? 0 : (long) ((out - in) / STEP) + 1;
        for (long i = 0; i < count && covered < COVERED_MAX; ) {
            locate(in + i * STEP);
            int level = transparentLevel();
            if (level >= 0) {
                i += leaps ? Math.max(1, (long) (remaining(level) / STEP)) : 1;
                continue;
            }
            sample();
            double share = (1 - covered) * sample[0] / 255;
            brightness += share * shade();
            covered += share;
            i++;
        }
        return brightness;
    }

    /** Computes the point of the ray at a distance, and the first of the eight voxels around it. */
    private void locate(double distance) {
        for (int i = 0; i < 3; i++) {
            point[i] = origin[i] + distance * forward[i];
            voxel[i] = Math.clamp((long) Math.floor(point[i]), 0, size.voxels() - 2);
        }
    }

    /** The highest level whose cell at the point is transparent; -1 for none. */
    private int transparentLevel() {
        int level = 0;
        while (level < starts.length && greatest(level) == 0) {
            level++;
        }
        return level - 1;
    }

    private int greatest(int level) {
        units += CELL_UNITS;
        int side = size.side(level);
        int x = voxel[0] >> level;
        int y = voxel[1] >> level;
        int z = voxel[2] >> level;
        return octree.get(starts[level] + x + side * (y + side * z));
    }

    /** The distance from the point to the end of its cell of a level, along the ray. */
    private double remaining(int level) {
        double remaining = Double.POSITIVE_INFINITY;
        for (int i = 0; i < 3; i++) {
            if (forward[i] != 0) {
                int cell = voxel[i] >> level;
                double border = (double) (forward[i] > 0 ? cell + 1 : cell) * (1 << level);
                remaining = Math.min(remaining, (border - point[i]) / forward[i]);
            }
        }
        return remaining;
    }

    /** Interpolates between the eight voxels. */
    private void sample() {
        units += SAMPLE_UNITS;
        int n = size.voxels();
        int at = voxel[0] + n * (voxel[1] + n * voxel[2]);
        sample[0] = 0;
        sample[1] = 0;
        sample[2] = 0;
        sample[3] = 0;
        double x = point[0] - voxel[0];
        double y = point[1] - voxel[1];
        double z = point[2] - voxel[2];
        add(at, (1 - x) * (1 - y) * (1 - z));
        add(at + 1, x * (1 - y) * (1 - z));
        add(at + n, (1 - x) * y * (1 - z));
        add(at + n + 1, x * y * (1 - z));
        add(at + n * n, (1 - x) * (1 - y) * z);
        add(at + n * n + 1, x * (1 - y) * z);
        add(at + n * n + n, (1 - x) * y * z);
        add(at + n * n + n + 1, x * y * z);
    }

    private void add(int at, double weight) {
        int mapped = map.get(at);
        double opacity = weight * (mapped >>> 24);
        sample[0] += opacity;
        sample[1] += opacity * (byte) (mapped >> 16);
        sample[2] += opacity * (byte) (mapped >> 8);
        sample[3] += opacity * (byte) mapped;
    }

    /** The brightness of the sample; voxels are weighted by opacity. */
    private double shade() {
        if (sample[0] == 0) {
            return 0;
        }
        double falls = sample[1] * light[0] + sample[2] * light[1] + sample[3] * light[2];
        return AMBIENT + (1 - AMBIENT) * Math.max(0, falls / (127 * sample[0]));
    }
}
