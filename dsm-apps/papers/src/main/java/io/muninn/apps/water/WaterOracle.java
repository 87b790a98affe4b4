package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Verdict;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * Verifies a run. The energies of every step and the final positions must be those of the
 * sequential version, and the momentum must not change. Rounding causes differences where numbers
 * are added in varying order: energies in both programs, and the forces of a molecule in the
 * program by pairs.
 *
 * <p><b>Chaos.</b> In the program by pairs a difference of positions doubles in 38 to 46 steps. In
 * 1000 steps rounding errors grow to 4e-8 to 8e-7 Å, with 27 to 1000 molecules. The tolerance grows
 * as fast, once rounding errors may be close to it. The momentum is not affected, because each pair
 * adds opposite forces.
 *
 * <p>Results are the potential and the kinetic energy of each step from 0 on, then the positions of
 * all molecules, then their velocities.
 */
final class WaterOracle {
    /**
     * Largest difference: relative to the kinetic energy for energies, in Å for positions, and
     * relative to the sum of momenta.
     */
    private static final double TOLERANCE = 1e-9;

    /** Number of steps in which rounding errors remain far below the tolerance. */
    private static final int CALM_STEPS = 400;

    /** Number of steps in which the tolerance doubles afterwards. */
    private static final double DOUBLING_STEPS = 40;

    private WaterOracle() {}

    /** The results of a run. */
    static double[] results(double[] energies, double[] positions, double[] velocities) {
        double[] all =
                Arrays.copyOf(energies, energies.length + positions.length + velocities.length);
        System.arraycopy(positions, 0, all, energies.length, positions.length);
        System.arraycopy(velocities, 0, all, energies.length + positions.length, velocities.length);
        return all;
    }

    /** Checks a run in which the forces of a molecule are added in varying order. */
    static Verdict verifyPairs(WaterSize size, double[] actual, double[] expected) {
        return verify(size, actual, expected, WaterOracle::toleranceAfter);
    }

    /** Checks a run in which only energies are added in varying order. */
    static Verdict verifyCells(WaterSize size, double[] actual, double[] expected) {
        return verify(size, actual, expected, _ -> TOLERANCE);
    }

    static double toleranceAfter(int steps) {
        return TOLERANCE * Math.pow(2, Math.max(0, steps - CALM_STEPS) / DOUBLING_STEPS);
    }

    private static Verdict verify(
            WaterSize size, double[] actual, double[] expected, IntToDoubleFunction tolerance) {
        if (actual.length != expected.length) {
            return Verdict.wrong(
                    String.format(
                            Locale.ROOT, "%d results, not %d", actual.length, expected.length));
        }
        int energies = 2 * (size.steps() + 1);
        for (int i = 0; i < energies + size.length(); i++) {
            boolean isEnergy = i < energies;
            double limit =
                    isEnergy
                            ? tolerance.applyAsDouble(i / 2) * expected[1]
                            : tolerance.applyAsDouble(size.steps());
            if (!(Math.abs(actual[i] - expected[i]) <= limit)) {
                return Verdict.wrong(
                        String.format(
                                Locale.ROOT,
                                "%s %d is %s, not %s",
                                isEnergy ? "energy" : "position",
                                isEnergy ? i : i - energies,
                                actual[i],
                                expected[i]));
            }
        }
        double change = momentumChange(size, actual);
        if (!(change <= TOLERANCE)) {
            return Verdict.wrong("the momentum has changed by a part of " + change);
        }
        double first = expected[0] + expected[1];
        double last = expected[energies - 2] + expected[energies - 1];
        return Verdict.right(
                String.format(
                        Locale.ROOT,
                        "%d molecules after %d steps have the energies of the sequential run,"
                                + " %.3f kJ/mol at first and %.3f at last, and the momentum of the"
                                + " beginning",
                        size.molecules(),
                        size.steps(),
                        first,
                        last));
    }

    /**
     * The greatest change of the momentum along an axis, relative to the sum of absolute momenta.
     */
    private static double momentumChange(WaterSize size, double[] results) {
        WaterModel model = new WaterModel(size.molecules());
        double[] start = new double[WIDTH];
        double[] change = new double[3];
        double sizes = 0;
        int velocities = results.length - size.length();
        for (int i = 0; i < size.length(); i++) {
            if (i % WIDTH == 0) {
                model.start(i / WIDTH, start, 0);
            }
            double mass = WaterModel.mass(i % WIDTH);
            double velocity = results[velocities + i];
            change[i % 3] += mass * (velocity - start[i % WIDTH]);
            sizes += Math.abs(mass * velocity);
        }
        double most = 0;
        for (double axis : change) {
            most = Math.max(most, Math.abs(axis));
        }
        return most / sizes;
    }
}
