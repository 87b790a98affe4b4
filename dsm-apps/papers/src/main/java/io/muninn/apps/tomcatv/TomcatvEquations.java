package io.muninn.apps.tomcatv;

import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.NearEqual;
import io.muninn.apps.SameBits;

/**
 * Winslow's equations of TOMCATV with derivatives, in plain arrays; the systems of the rows are
 * solved from their last element to the first, and back.
 *
 * <p>Source: Thompson, Warsi and Mastin, "Numerical Grid Generation", 1985, chapter VI.
 */
final class TomcatvEquations {
    /** That of {@link TomcatvMesh}, written down once more. */
    private static final double RELAXATION = 0.9;

    private final int n;
    private final double[] x;
    private final double[] y;

    private TomcatvEquations(int n) {
        this.n = n;
        TomcatvMesh first = TomcatvMesh.filled(n, n, 0);
        x = SameBits.of(first.x());
        y = SameBits.of(first.y());
    }

    /**
     * @param coordinates of all points after the steps
     */
    static Verdict verify(LoopSize size, double[] coordinates) {
        TomcatvEquations mesh = new TomcatvEquations(size.size());
        for (int step = 0; step < size.steps(); step++) {
            mesh.step();
        }
        Verdict x = NearEqual.verdict("coordinate x", coordinates, 0, mesh.x, 1);
        return x.right()
                ? NearEqual.verdict("coordinate y", coordinates, mesh.x.length, mesh.y, 1)
                : x;
    }

    /** All rows move at once: corrections are of the places before the step. */
    private void step() {
        double[] moveX = new double[x.length];
        double[] moveY = new double[y.length];
        for (int row = 1; row < n - 1; row++) {
            correct(row, moveX, moveY);
        }
        for (int i = 0; i < x.length; i++) {
            x[i] += moveX[i];
            y[i] += moveY[i];
        }
    }

    private void correct(int row, double[] moveX, double[] moveY) {
        double[] beside = new double[n];
        double[] pivot = new double[n];
        for (int column = n - 2; column >= 1; column--) {
            int here = row * n + column;
            double alpha = square(x, here, 1) + square(y, here, 1);
            double gamma = square(x, here, n) + square(y, here, n);
            double beta =
                    slope(x, here, n) * slope(x, here, 1) + slope(y, here, n) * slope(y, here, 1);
            beside[column] = -gamma;
            pivot[column] = 2 * gamma + 2 * alpha / RELAXATION;
            moveX[here] = fails(x, here, alpha, beta, gamma);
            moveY[here] = fails(y, here, alpha, beta, gamma);
            if (column < n - 2) {
                double factor = beside[column] / pivot[column + 1];
                pivot[column] -= factor * beside[column + 1];
                moveX[here] -= factor * moveX[here + 1];
                moveY[here] -= factor * moveY[here + 1];
            }
        }
        for (int column = 1; column < n - 1; column++) {
            int here = row * n + column;
            moveX[here] = (moveX[here] - beside[column] * moveX[here - 1]) / pivot[column];
            moveY[here] = (moveY[here] - beside[column] * moveY[here - 1]) / pivot[column];
        }
    }

    /** By how much the equation of a coordinate fails. */
    private double fails(double[] q, int here, double alpha, double beta, double gamma) {
        double mixed = (slope(q, here + n, 1) - slope(q, here - n, 1)) / 2;
        return alpha * bend(q, here, n) - 2 * beta * mixed + gamma * bend(q, here, 1);
    }

    private static double square(double[] q, int here, int step) {
        double slope = slope(q, here, step);
        return slope * slope;
    }

    private static double slope(double[] q, int here, int step) {
        return (q[here + step] - q[here - step]) / 2;
    }

    private static double bend(double[] q, int here, int step) {
        return q[here + step] - q[here] - (q[here] - q[here - step]);
    }
}
