package io.muninn.apps.ocean;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.SameBits;
import java.util.Locale;

/**
 * Compares results with those of the sequential run, bit by bit, and with what is known of the
 * solutions without any formula of the program:
 *
 * <ul>
 *   <li>Integrals over the basin, with sin πx sin πy and with sin 2πx sin πy, of both sides of each
 *       elliptic equation are equal. These are eigenfunctions of the Laplacian, so that both sides
 *       are integrals of the solution and of the right-hand side alone.
 *   <li>The integral of ψ1 - ψ3 remains zero: no layer gains water.
 *   <li>The integral of γ in the first step, when only wind acts, has a closed form.
 * </ul>
 */
final class OceanOracle {
    /** Of a part of the right-hand side: what the solver leaves, and more. */
    private static final double SOLVED = 5 * OceanSolver.TOLERANCE;

    /** Of a part of ψ1 - ψ3. */
    private static final double KEPT = 1e-6;

    private final int n;
    private final double[] results;

    private OceanOracle(int n, double[] results) {
        this.n = n;
        this.results = results;
    }

    /**
     * @param results of {@link OceanRun#values}
     */
    static Verdict verify(OceanSize size, DsmNode root, double[] results) {
        String what =
                String.format(
                        Locale.ROOT,
                        "basin of %dx%d cells after %d steps",
                        size.cells(),
                        size.cells(),
                        size.steps());
        double[] sequential = OceanRun.alone(size, new OceanCells(OceanCells.CENTRE), root);
        Verdict bits = SameBits.verdict(what, results, sequential);
        return bits.right() && size.steps() > 0
                ? known(size.cells(), results, bits.detail())
                : bits;
    }

    /** Compares with what is known of the solutions alone. */
    static Verdict known(int cells, double[] results, String what) {
        OceanOracle oracle = new OceanOracle(cells, results);
        double discretized = SOLVED + 5.0 / ((double) cells * cells);
        double gamma = oracle.gammaError();
        double phi = oracle.phiError();
        double mass = oracle.massError();
        double first = oracle.firstError();
        String text =
                String.format(
                        Locale.ROOT,
                        "%s; errors of gamma %.1e, phi %.1e, mass %.1e, first step %.1e",
                        what,
                        gamma,
                        phi,
                        mass,
                        first);
        boolean isRight =
                gamma <= discretized
                        && phi <= discretized
                        && mass <= KEPT
                        && first <= 2 * discretized;
        return isRight ? Verdict.right(text) : Verdict.wrong(text);
    }

    private double gammaError() {
        double k = OceanBasin.STIFFNESS;
        return projectionError(2, 4, k, k * walls(2));
    }

    private double phiError() {
        return projectionError(3, 5, 0, 0);
    }

    /** Of ∇²values - k values = right + more, as a part of the right-hand side's size. */
    private double projectionError(int values, int right, double k, double more) {
        double worst = 0;
        for (int waves = 1; waves <= 2; waves++) {
            double eigenvalue = -(1 + waves * waves) * Math.pow(Math.PI / OceanBasin.SIDE, 2) - k;
            double difference = 0;
            double all = 0;
            for (int i = 0; i < n * n; i++) {
                double sines = sine(1, i / n) * sine(waves, i % n);
                double expected = cell(right, i) + more;
                difference += sines * (eigenvalue * cell(values, i) - expected);
                all += Math.abs(sines * expected);
            }
            worst = Math.max(worst, Math.abs(difference) / all);
        }
        return worst;
    }

    private double massError() {
        double sum = 0;
        double all = 0;
        for (int i = 0; i < n * n; i++) {
            double shear = cell(0, i) - cell(1, i) + walls(0);
            sum += shear;
            all += Math.abs(shear);
        }
        return Math.abs(sum) / all;
    }

    /**
     * γ of a wind sin πy is that of a channel, less what the walls in the west and east take, which
     * falls off as a hyperbolic cosine.
     */
    private double firstError() {
        double across = Math.PI / OceanBasin.SIDE;
        double decay = Math.sqrt(across * across + OceanBasin.STIFFNESS);
        double half = decay * OceanBasin.SIDE / 2;
        double channel = OceanBasin.WIND / (decay * decay) * 2 / Math.PI;
        double expected = channel * (1 - Math.tanh(half) / half);
        return Math.abs(walls(3) / ((double) n * n) / expected - 1);
    }

    private double sine(int waves, int index) {
        return Math.sin(waves * Math.PI * (index + 0.5) / n);
    }

    private double cell(int grid, int index) {
        return results[grid * n * n + index];
    }

    private double walls(int index) {
        return results[6 * n * n + index];
    }
}
