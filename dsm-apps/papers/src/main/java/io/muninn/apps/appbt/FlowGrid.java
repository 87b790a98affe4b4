package io.muninn.apps.appbt;

import static io.muninn.apps.appbt.FlowEquations.WIDTH;

import io.muninn.api.DoubleArray;
import java.util.Arrays;

/**
 * The points of the cube and their changes, and the work on one line. Lines of a phase are numbered
 * through the inner points of the two other axes. Points on faces do not change.
 */
final class FlowGrid {
    private final int size;
    private final double step;
    private final FlowEquations equations;
    private final DoubleArray points;
    private final DoubleArray changes;
    private final int start; // of the first plane, in elements
    private final int plane; // from one to the next

    /**
     * @param size points along each axis, at least 5
     * @param step of time
     * @param points {@code start + size * plane} elements, as {@code changes}
     */
    FlowGrid(int size, double step, DoubleArray points, DoubleArray changes, int start, int plane) {
        this.size = size;
        this.step = step;
        this.points = points;
        this.changes = changes;
        this.start = start;
        this.plane = plane;
        equations = new FlowEquations(size, step);
    }

    private int at(int i, int j, int k) {
        return start + k * plane + (j * size + i) * WIDTH;
    }

    /** Number of lines of a phase. */
    int lines() {
        return (size - 2) * (size - 2);
    }

    /** The plane, across the third axis, of a line along the first or the second. */
    int plane(int line) {
        return 1 + line / (size - 2);
    }

    private int row(int line) {
        return 1 + line % (size - 2);
    }

    void initialize() {
        for (int k = 0; k < size; k++) {
            for (int j = 0; j < size; j++) {
                for (int i = 0; i < size; i++) {
                    points.copyFrom(at(i, j, k), equations.initial(i, j, k), 0, WIDTH);
                }
            }
        }
    }

    /** The forcing of the points of a line along the first axis. */
    double[][] forcing(int line) {
        int j = row(line);
        int k = plane(line);
        double[][] forcing = new double[size][WIDTH];
        for (int i = 1; i < size - 1; i++) {
            double[][] x = new double[size][];
            double[][] y = new double[size][];
            double[][] z = new double[size][];
            for (int n = 0; n < size; n++) {
                x[n] = equations.exact(n, j, k);
                y[n] = equations.exact(i, n, k);
                z[n] = equations.exact(i, j, n);
            }
            double[] sum = new double[WIDTH];
            equations.addChange(0, x, i, sum);
            equations.addChange(1, y, j, sum);
            equations.addChange(2, z, k, sum);
            for (int m = 0; m < WIDTH; m++) {
                forcing[i][m] = -sum[m];
            }
        }
        return forcing;
    }

    private double[][] load(int j, int k) {
        double[] all = new double[size * WIDTH];
        points.copyTo(at(0, j, k), all, 0, all.length);
        double[][] line = new double[size][];
        for (int i = 0; i < size; i++) {
            line[i] = Arrays.copyOfRange(all, i * WIDTH, (i + 1) * WIDTH);
        }
        return line;
    }

    /** Computes the changes of a line along the first axis. */
    void change(int line, double[][] forcing) {
        int j = row(line);
        int k = plane(line);
        double[][][] acrossJ = new double[size][][];
        double[][][] acrossK = new double[size][][];
        for (int n = -2; n <= 2; n++) {
            if (j + n >= 0 && j + n < size) {
                acrossJ[j + n] = load(j + n, k);
            }
        }
        for (int n = -2; n <= 2; n++) {
            if (k + n >= 0 && k + n < size) {
                acrossK[k + n] = n == 0 ? acrossJ[j] : load(j, k + n);
            }
        }
        double[] all = new double[size * WIDTH];
        for (int i = 1; i < size - 1; i++) {
            double[] sum = new double[WIDTH];
            equations.addChange(0, acrossJ[j], i, sum);
            equations.addChange(1, column(acrossJ, i), j, sum);
            equations.addChange(2, column(acrossK, i), k, sum);
            for (int m = 0; m < WIDTH; m++) {
                all[i * WIDTH + m] = step * (sum[m] + forcing[i][m]);
            }
        }
        changes.copyFrom(at(0, j, k), all, 0, all.length);
    }

    /** The points of lines at an index; points of lines that are not loaded are not used. */
    private double[][] column(double[][][] lines, int i) {
        double[][] column = new double[size][];
        for (int n = 0; n < size; n++) {
            column[n] = lines[n] == null ? new double[WIDTH] : lines[n][i];
        }
        return column;
    }

    /** Solves the equations of a line along an axis. */
    void solve(int axis, int line) {
        double[][] own = new double[size][WIDTH];
        double[][] solution = new double[size][WIDTH];
        for (int n = 0; n < size; n++) {
            int where = onLine(axis, n, line);
            points.copyTo(where, own[n], 0, WIDTH);
            changes.copyTo(where, solution[n], 0, WIDTH);
        }
        equations.solve(axis, own, solution);
        for (int n = 1; n < size - 1; n++) {
            changes.copyFrom(onLine(axis, n, line), solution[n], 0, WIDTH);
        }
    }

    private int onLine(int axis, int n, int line) {
        return switch (axis) {
            case 0 -> at(n, row(line), plane(line));
            case 1 -> at(row(line), n, plane(line));
            default -> at(row(line), plane(line), n);
        };
    }

    /** Adds the changes of a line along the first axis to its points. */
    void add(int line) {
        int from = at(0, row(line), plane(line));
        double[] own = new double[size * WIDTH];
        double[] change = new double[size * WIDTH];
        points.copyTo(from, own, 0, own.length);
        changes.copyTo(from, change, 0, change.length);
        for (int i = WIDTH; i < own.length - WIDTH; i++) {
            own[i] += change[i];
        }
        points.copyFrom(from + WIDTH, own, WIDTH, own.length - 2 * WIDTH);
    }

    /** A step of time on one thread. */
    void advance(double[][][] forcing) {
        for (int line = 0; line < lines(); line++) {
            change(line, forcing[line]);
        }
        for (int axis = 0; axis < 3; axis++) {
            for (int line = 0; line < lines(); line++) {
                solve(axis, line);
            }
        }
        for (int line = 0; line < lines(); line++) {
            add(line);
        }
    }

    /** Each component's norm of the difference from the exact solution. */
    double[] errors() {
        double[] sums = new double[WIDTH];
        double[] point = new double[WIDTH];
        for (int k = 0; k < size; k++) {
            for (int j = 0; j < size; j++) {
                for (int i = 0; i < size; i++) {
                    points.copyTo(at(i, j, k), point, 0, WIDTH);
                    double[] exact = equations.exact(i, j, k);
                    for (int m = 0; m < WIDTH; m++) {
                        sums[m] += (point[m] - exact[m]) * (point[m] - exact[m]);
                    }
                }
            }
        }
        return norms(sums);
    }

    /** Each component's norm of the derivative in time; overwrites all changes. */
    double[] residuals() {
        double[] sums = new double[WIDTH];
        double[] all = new double[size * WIDTH];
        for (int line = 0; line < lines(); line++) {
            change(line, forcing(line));
            changes.copyTo(at(0, row(line), plane(line)), all, 0, all.length);
            for (int i = WIDTH; i < all.length - WIDTH; i++) {
                sums[i % WIDTH] += all[i] / step * (all[i] / step);
            }
        }
        return norms(sums);
    }

    private double[] norms(double[] sums) {
        double count = (double) lines() * (size - 2);
        return Arrays.stream(sums).map(sum -> Math.sqrt(sum / count)).toArray();
    }

    /** All points, one behind the other. */
    double[] all() {
        double[] all = new double[size * size * size * WIDTH];
        int ofPlane = size * size * WIDTH;
        for (int k = 0; k < size; k++) {
            points.copyTo(at(0, 0, k), all, k * ofPlane, ofPlane);
        }
        return all;
    }
}
