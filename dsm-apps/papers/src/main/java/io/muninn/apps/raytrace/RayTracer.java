package io.muninn.apps.raytrace;

import io.muninn.api.DoubleArray;
import io.muninn.api.IntArray;
import io.muninn.apps.ImageTiles;
import java.util.Arrays;

/**
 * Computes pixels. A ray is cast from the eye through each pixel. From each point that it strikes,
 * a ray is cast to every light, and the reflected ray is followed, up to a fixed depth. A path ends
 * early if its contribution would be invisible. There is one sample per pixel, without
 * antialiasing, as in the paper.
 *
 * <p><b>Threads.</b> Confined to one thread.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 6.2; Whitted, "An Improved Illumination
 * Model for Shaded Display", Communications of the ACM 23(6), 1980; Amanatides and Woo, "A Fast
 * Voxel Traversal Algorithm for Ray Tracing", Eurographics 1987; Möller and Trumbore, "Fast,
 * Minimum Storage Ray/Triangle Intersection", Journal of Graphics Tools 2(1), 1997. Departure: no
 * ray is refracted.
 */
final class RayTracer implements ImageTiles.Renderer {
    /** Simple operations for each cell that a ray passes. */
    private static final int CELL_UNITS = 6;

    /** Simple operations for the intersection of a primitive and a ray. */
    private static final int TEST_UNITS = 20;

    /** Most reflections of a path. */
    private static final int DEPTH_MAX = 5;

    /** A path ends if its weight in the colour is less. */
    private static final double WEIGHT_MIN = 1.0 / 256;

    /** Least distance of a struck point from the ray's origin. */
    private static final double NEAR = 1e-7;

    private static final double AMBIENT = 0.15;
    private static final double[][] LIGHTS = {{0.1, -0.8, 1.6}, {1.3, 0.2, 1.2}};
    private static final double LIGHT = 0.5;
    private static final double[] EYE = {0.5, -1.6, 0.75};

    /** Fraction of the light that a sphere reflects. */
    private static final double SPHERE_REFLECTS = 0.5;

    private static final double TRIANGLE_REFLECTS = 0.2;

    private final int side;
    private final DoubleArray primitives;

    /** Copy of the primitive last loaded. */
    private final double[] record = new double[RayScene.WIDTH];

    private final IntArray grid;
    private long units;

    // the ray
    private final double[] origin = new double[3];
    private final double[] direction = new double[3];

    /**
     * True to search for any point nearer than {@link #distance}, false to search for the nearest.
     */
    private boolean isAny;

    /** Distance from the origin to the nearest point so far. */
    private double distance;

    /** The primitive of that point; -1 for none. */
    private int struck;

    RayTracer(RaySize size, RayScene scene) {
        side = size.tiles().side();
        primitives = scene.primitives();
        grid = scene.grid();
    }

    @Override
    public long units() {
        long since = units;
        units = 0;
        return since;
    }

    @Override
    public int pixel(int row, int column) {
        System.arraycopy(EYE, 0, origin, 0, 3);
        direction[0] = (column + 0.5) / side - EYE[0];
        direction[1] = -EYE[1];
        direction[2] = 1 - (row + 0.5) / side - EYE[2];
        normalize(direction);
        double[] colour = new double[3];
        double[] point = new double[3];
        double[] normal = new double[3];
        double[] ray = direction.clone();
        double weight = 1;
        for (int depth = 0; weight >= WEIGHT_MIN; depth++) {
            if (!strikes(false, Double.POSITIVE_INFINITY)) {
                addSky(colour, weight, ray[2]);
                break;
            }
            load(struck);
            for (int i = 0; i < 3; i++) {
                point[i] = origin[i] + distance * ray[i];
            }
            boolean isSphere = record[0] == RayScene.SPHERE;
            normal(isSphere, point, ray, normal);
            double reflects = isSphere ? SPHERE_REFLECTS : TRIANGLE_REFLECTS;
            double[] surface = Arrays.copyOfRange(record, RayScene.COLOUR, RayScene.WIDTH);
            double light = light(point, normal) * weight * (1 - reflects);
            for (int i = 0; i < 3; i++) {
                colour[i] += light * surface[i];
            }
            if (depth == DEPTH_MAX) {
                break;
            }
            weight *= reflects;
            double along = 2 * dot(ray, normal);
            for (int i = 0; i < 3; i++) {
                ray[i] -= along * normal[i];
                origin[i] = point[i];
                direction[i] = ray[i];
            }
        }
        return packed(colour);
    }

    private static void addSky(double[] colour, double weight, double up) {
        double height = 0.5 + 0.5 * up;
        colour[0] += weight * (0.9 - 0.6 * height);
        colour[1] += weight * (0.9 - 0.4 * height);
        colour[2] += weight * 0.9;
    }

    /** Packs a colour into red, green and blue of 8 bits each. */
    private static int packed(double[] colour) {
        int packed = 0;
        for (double part : colour) {
            packed = packed << 8 | (int) (255 * Math.min(1, part));
        }
        return packed;
    }

    /** The normal of a struck primitive, on the side of the ray's origin. */
    private void normal(boolean isSphere, double[] point, double[] ray, double[] normal) {
        for (int i = 0; i < 3; i++) {
            normal[i] =
                    isSphere ? (point[i] - record[1 + i]) / record[4] : record[RayScene.NORMAL + i];
        }
        if (dot(ray, normal) > 0) {
            for (int i = 0; i < 3; i++) {
                normal[i] = -normal[i];
            }
        }
    }

    /** The amount of light on a point. Overwrites the ray. */
    private double light(double[] point, double[] normal) {
        double light = AMBIENT;
        for (double[] from : LIGHTS) {
            for (int i = 0; i < 3; i++) {
                origin[i] = point[i];
                direction[i] = from[i] - point[i];
            }
            double far = normalize(direction);
            double falls = dot(direction, normal);
            if (falls > 0 && !strikes(true, far)) {
                light += LIGHT * falls;
            }
        }
        return light;
    }

    /** Scales a vector to length 1; returns its previous length. */
    private static double normalize(double[] vector) {
        double length = Math.sqrt(dot(vector, vector));
        for (int i = 0; i < 3; i++) {
            vector[i] /= length;
        }
        return length;
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    /**
     * Follows the ray.
     *
     * @param any true to search for any point, false to search for the nearest
     * @param limit upper bound of the distance of a struck point
     */
    private boolean strikes(boolean any, double limit) {
        isAny = any;
        distance = limit;
        struck = -1;
        double in = 0;
        double out = limit;
        for (int i = 0; i < 3; i++) {
            if (direction[i] != 0) {
                double a = -origin[i] / direction[i];
                double b = (1 - origin[i]) / direction[i];
                in = Math.max(in, Math.min(a, b));
                out = Math.min(out, Math.max(a, b));
            } else if (origin[i] < 0 || origin[i] > 1) {
                return false;
            }
        }
        if (in <= out) {
            visit(grid.get(0), 0, 0, 0, 1, in, out);
        }
        return struck >= 0;
    }

    /**
     * Follows the ray through a cell, from distance {@code in} to distance {@code out}.
     *
     * @return true if the search is over
     */
    private boolean visit(
            int cell, double x, double y, double z, double width, double in, double out) {
        units += CELL_UNITS;
        if (cell < 0) {
            return walk(-cell, new double[] {x, y, z}, width / RayGrid.SIDE, in, out);
        }
        if (cell > 0) {
            int count = grid.get(cell);
            for (int i = 1; i <= count; i++) {
                test(grid.get(cell + i));
                if (isAny && struck >= 0) {
                    return true;
                }
            }
        }
        return distance <= out;
    }

    /** Follows the ray from cell to cell of a finer grid. */
    private boolean walk(int begin, double[] low, double width, double in, double out) {
        int[] at = new int[3];
        double[] next = new double[3]; // distance at which the ray leaves the cell, by axis
        for (int i = 0; i < 3; i++) {
            double offset = origin[i] + in * direction[i] - low[i];
            at[i] = Math.clamp((int) Math.floor(offset / width), 0, RayGrid.SIDE - 1);
            next[i] = leaves(i, low[i], width, at[i]);
        }
        double from = in;
        while (true) {
            int axis = next[0] <= next[1] ? 0 : 1;
            axis = next[axis] <= next[2] ? axis : 2;
            double to = Math.min(next[axis], out);
            int cell = grid.get(begin + at[0] + RayGrid.SIDE * (at[1] + RayGrid.SIDE * at[2]));
            boolean isDone =
                    visit(
                            cell,
                            low[0] + at[0] * width,
                            low[1] + at[1] * width,
                            low[2] + at[2] * width,
                            width,
                            from,
                            to);
            if (isDone) {
                return true;
            }
            if (next[axis] >= out) {
                return distance <= out;
            }
            at[axis] += direction[axis] > 0 ? 1 : -1;
            if (at[axis] < 0 || at[axis] >= RayGrid.SIDE) {
                return distance <= out;
            }
            from = to;
            next[axis] = leaves(axis, low[axis], width, at[axis]);
        }
    }

    /** The distance at which the ray leaves a cell on an axis. */
    private double leaves(int axis, double low, double width, int at) {
        if (direction[axis] == 0) {
            return Double.POSITIVE_INFINITY;
        }
        double border = low + (direction[axis] > 0 ? at + 1 : at) * width;
        return (border - origin[axis]) / direction[axis];
    }

    /** Intersects a primitive with the ray. */
    private void test(int primitive) {
        units += TEST_UNITS;
        load(primitive);
        double found = record[0] == RayScene.SPHERE ? sphere() : triangle();
        if (found > NEAR && found < distance) {
            distance = found;
            struck = primitive;
        }
    }

    private void load(int primitive) {
        primitives.copyTo(RayScene.WIDTH * primitive, record, 0, RayScene.WIDTH);
    }

    /** The distance at which the ray strikes the sphere; 0 if it does not. */
    private double sphere() {
        double x = record[1] - origin[0];
        double y = record[2] - origin[1];
        double z = record[3] - origin[2];
        double radius = record[4];
        double middle = x * direction[0] + y * direction[1] + z * direction[2];
        double square = radius * radius - (x * x + y * y + z * z) + middle * middle;
        if (square < 0) {
            return 0;
        }
        double half = Math.sqrt(square);
        return middle - half > NEAR ? middle - half : middle + half;
    }

    /** The distance at which the ray strikes the triangle; 0 if it does not. */
    private double triangle() {
        double ex = record[4];
        double ey = record[5];
        double ez = record[6];
        double fx = record[7];
        double fy = record[8];
        double fz = record[9];
        double px = direction[1] * fz - direction[2] * fy;
        double py = direction[2] * fx - direction[0] * fz;
        double pz = direction[0] * fy - direction[1] * fx;
        double volume = ex * px + ey * py + ez * pz;
        if (volume == 0) {
            return 0;
        }
        double x = origin[0] - record[1];
        double y = origin[1] - record[2];
        double z = origin[2] - record[3];
        double u = (x * px + y * py + z * pz) / volume;
        if (u < 0 || u > 1) {
            return 0;
        }
        double qx = y * ez - z * ey;
        double qy = z * ex - x * ez;
        double qz = x * ey - y * ex;
        double v = (direction[0] * qx + direction[1] * qy + direction[2] * qz) / volume;
        if (v < 0 || u + v > 1) {
            return 0;
        }
        return (fx * qx + fy * qy + fz * qz) / volume;
    }
}
