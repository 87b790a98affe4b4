package io.muninn.apps.expl;

import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.NearEqual;
import io.muninn.apps.SameBits;

/**
 * The motion of EXPL face by face, in plain arrays: each face between two cells has one force,
 * which acts on the cells of both sides.
 *
 * <p>Source: McMahon, "The Livermore Fortran Kernels", UCRL-53745, 1986, kernel 18.
 */
final class ExplFaces {
    /** Those of {@link ExplGrid}, written down once more. */
    private static final double FORCE = 0.0041;

    private static final double TIME = 0.0037;

    private final int n;
    private final double[] pressure;
    private final double[] mass;
    private final double[] r;
    private final double[] z;
    private final double[] u;
    private final double[] v;

    private ExplFaces(int n) {
        this.n = n;
        ExplGrid first = ExplGrid.filled(n, n, 0);
        pressure = SameBits.of(first.pressure());
        mass = SameBits.of(first.mass());
        r = SameBits.of(first.r());
        z = SameBits.of(first.z());
        u = SameBits.of(first.u());
        v = SameBits.of(first.v());
    }

    /**
     * @param results both coordinates and both velocities after the steps
     */
    static Verdict verify(LoopSize size, double[] results) {
        ExplFaces faces = new ExplFaces(size.size());
        for (int step = 0; step < size.steps(); step++) {
            faces.step();
        }
        double[] expected = new double[4 * faces.r.length];
        int next = 0;
        for (double[] field : new double[][] {faces.r, faces.z, faces.u, faces.v}) {
            System.arraycopy(field, 0, expected, next, field.length);
            next += field.length;
        }
        return NearEqual.verdict("the grid, face by face", results, 0, expected, size.size());
    }

    private void step() {
        double[] pullsU = new double[r.length];
        double[] pullsV = new double[r.length];
        for (int row = 1; row < n - 1; row++) {
            for (int column = 1; column < n - 1; column++) {
                int here = row * n + column;
                act(pullsU, pullsV, upright(here), here, here + 1);
                act(pullsU, pullsV, level(here), here - n, here);
            }
        }
        for (int row = 1; row < n - 1; row++) {
            for (int here = row * n + 1; here < row * n + n - 1; here++) {
                u[here] += FORCE * pullsU[here];
                v[here] += FORCE * pullsV[here];
            }
        }
        for (int row = 1; row < n - 1; row++) {
            for (int here = row * n + 1; here < row * n + n - 1; here++) {
                r[here] += TIME * u[here];
                z[here] += TIME * v[here];
            }
        }
    }

    /** The force on the face between a cell and the next of its row. */
    private double upright(int cell) {
        return slope(cell - 1, cell - 1 + n) * mean(r, cell, cell - 1);
    }

    /** The force on the face between a cell and the one in the row above. */
    private double level(int cell) {
        return slope(cell, cell - 1) * mean(r, cell, cell - n);
    }

    /** How fast pressure grows from a cell to another, for their mass. */
    private double slope(int from, int to) {
        return (pressure[to] - pressure[from]) / mean(mass, from, to);
    }

    private static double mean(double[] field, int one, int other) {
        return 0.5 * (field[one] + field[other]);
    }

    /** The face between two cells acts on both. Edges take no part: nothing moves them. */
    private void act(double[] pullsU, double[] pullsV, double force, int one, int other) {
        double alongZ = force * (z[one] - z[other]);
        double alongR = force * (r[one] - r[other]);
        for (int cell : new int[] {one, other}) {
            pullsU[cell] += alongZ;
            pullsV[cell] += alongR;
        }
    }
}
