package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rounding in the longest run is no error, and a single error is one, however late it is. */
class WaterOracleTest {
    private static final int MOLECULES = 64;
    private static final int STEPS = 1000;
    private static final int NEVER = -1;
    private static final WaterSize SIZE = new WaterSize(MOLECULES, STEPS);
    private static final double[] EXPECTED = run(Order.FORWARDS, NEVER);

    /**
     * The order in which forces are added, or what is wrong about the last molecule in one step.
     */
    private enum Order {
        FORWARDS,
        BACKWARDS,
        PAIRS_MISSED,
        FORCES_LOST,
        STALE_POSITION
    }

    /**
     * @param wrongAt the only step in which something is wrong
     */
    private static double[] run(Order order, int wrongAt) {
        WaterModel model = new WaterModel(MOLECULES);
        double[] x = new double[SIZE.length()];
        double[] v = new double[x.length];
        double[] forces = new double[x.length];
        double[] energies = new double[2 * (STEPS + 1)];
        for (int i = 0; i < x.length; i += WIDTH) {
            model.place(i / WIDTH, x, i);
            model.start(i / WIDTH, v, i);
        }
        for (int step = 0; step <= STEPS; step++) {
            double[] old = x.clone();
            for (int i = 0; step > 0 && i < x.length; i += WIDTH) {
                model.kick(v, i, forces, i);
                model.drift(x, i, v, i);
            }
            boolean isOdd = order == Order.BACKWARDS || step == wrongAt;
            forces = new double[x.length];
            energies[2 * step] = forces(model, isOdd ? order : Order.FORWARDS, x, old, forces);
            for (int i = 0; i < x.length; i += WIDTH) {
                if (step > 0) {
                    model.kick(v, i, forces, i);
                }
                energies[2 * step + 1] += model.kinetic(v, i);
            }
        }
        return WaterOracle.results(energies, x, v);
    }

    /** Adds the forces of all pairs; their potential energy. */
    private static double forces(
            WaterModel model, Order order, double[] x, double[] old, double[] forces) {
        int last = x.length - WIDTH;
        double energy = 0;
        for (int place = 0; place <= last; place += WIDTH) {
            int i = order == Order.BACKWARDS ? last - place : place;
            energy += model.inside(x, i, forces, i);
            for (int j = last; j > i; j -= WIDTH) {
                if (j == last && order == Order.PAIRS_MISSED) {
                    continue;
                }
                boolean isLost = j == last && order == Order.FORCES_LOST;
                boolean isStale = j == last && order == Order.STALE_POSITION;
                double[] onOther = isLost ? new double[x.length] : forces;
                energy += model.between(x, i, isStale ? old : x, j, forces, i, onOther, j);
            }
        }
        return energy;
    }

    @Test
    void roundingInAnotherOrder_isRight() {
        double[] actual = run(Order.BACKWARDS, NEVER);

        Verdict verdict = WaterOracle.verifyPairs(SIZE, actual, EXPECTED);

        assertTrue(verdict.right(), verdict::detail);
        assertFalse(WaterOracle.verifyCells(SIZE, actual, EXPECTED).right()); // it is not nothing
    }

    @ParameterizedTest
    @EnumSource(names = {"PAIRS_MISSED", "FORCES_LOST", "STALE_POSITION"})
    void oneErrorInOneStep_isSeen(Order order) {
        for (int step : new int[] {900, STEPS}) {
            double[] actual = run(order, step);

            assertFalse(
                    WaterOracle.verifyPairs(SIZE, actual, EXPECTED).right(), order + " at " + step);
        }
    }
}
