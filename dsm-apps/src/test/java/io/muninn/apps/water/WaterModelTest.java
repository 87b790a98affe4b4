package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import org.junit.jupiter.api.Test;

/** Physics: forces are the slope of the potential, and energy and momentum stay what they are. */
class WaterModelTest {
    private static final int MOLECULES = 64;
    private static final WaterModel MODEL = new WaterModel(MOLECULES);

    /** Positions as they are at first, but none at rest. */
    private static double[] positions() {
        double[] x = new double[WIDTH * MOLECULES];
        for (int i = 0; i < MOLECULES; i++) {
            MODEL.place(i, x, WIDTH * i);
        }
        for (int i = 0; i < x.length; i++) {
            x[i] += 0.02 * Math.sin(7 * i);
        }
        return x;
    }

    private static double energy(double[] x, double[] forces) {
        double energy = 0;
        for (int i = 0; i < x.length; i += WIDTH) {
            energy += MODEL.inside(x, i, forces, i);
            for (int j = i + WIDTH; j < x.length; j += WIDTH) {
                energy += MODEL.between(x, i, x, j, forces, i, forces, j);
            }
        }
        return energy;
    }

    @Test
    void forces_areTheSlopeOfThePotential() {
        double[] x = positions();
        double[] forces = new double[x.length];
        energy(x, forces);
        double step = 1e-5;
        for (int i = 0; i < 4 * WIDTH; i++) {
            double old = x[i];
            x[i] = old + step;
            double more = energy(x, new double[x.length]);
            x[i] = old - step;
            double less = energy(x, new double[x.length]);
            x[i] = old;
            double slope = (less - more) / (2 * step);
            assertEquals(slope, forces[i], 1e-5 * (1 + Math.abs(slope)), "element " + i);
        }
    }

    @Test
    void forces_addUpToNothing() {
        double[] x = positions();
        double[] forces = new double[x.length];
        energy(x, forces);
        for (int axis = 0; axis < 3; axis++) {
            double sum = 0;
            double sizes = 0;
            for (int i = axis; i < forces.length; i += 3) {
                sum += forces[i];
                sizes += Math.abs(forces[i]);
            }
            assertTrue(sizes > 0 && Math.abs(sum) < 1e-12 * sizes, "axis " + axis);
        }
    }

    @Test
    void moleculesThatAreFarApart_doNotAct() {
        double[] x = new double[2 * WIDTH];
        double[] forces = new double[2 * WIDTH];
        MODEL.place(0, x, 0);
        MODEL.place(0, x, WIDTH);
        for (int axis = 0; axis < 3; axis++) {
            x[WIDTH + axis] += MODEL.side() / 2;
            x[WIDTH + 3 + axis] += MODEL.side() / 2;
            x[WIDTH + 6 + axis] += MODEL.side() / 2;
        }
        assertEquals(0, MODEL.between(x, 0, x, WIDTH, forces, 0, forces, WIDTH));
        for (double force : forces) {
            assertEquals(0, force);
        }
    }

    @Test
    void bondThatIsTooLong_isRefused() {
        double[] x = new double[WIDTH];
        MODEL.place(0, x, 0);
        x[3] += 3;
        assertThrows(IllegalStateException.class, () -> MODEL.inside(x, 0, new double[WIDTH], 0));
    }

    /** Total energies of a run: of its beginning, and those of later steps. */
    private static double[] run(int steps) {
        double[][] results = {{}};
        Dsm.run(
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {
                        results[0] = PairsSequential.run(new WaterSize(MOLECULES, steps), node);
                    }
                });
        return results[0];
    }

    @Test
    void totalEnergy_staysWhatItIsWhileItsPartsChange() {
        int steps = 200;
        double[] results = run(steps);
        double total = results[0] + results[1];
        double worst = 0;
        double least = results[1];
        double most = results[1];
        for (int step = 1; step <= steps; step++) {
            worst = Math.max(worst, Math.abs(results[2 * step] + results[2 * step + 1] - total));
            least = Math.min(least, results[2 * step + 1]);
            most = Math.max(most, results[2 * step + 1]);
        }
        double change = most - least;
        double error = worst;
        assertTrue(error < 0.02 * change, () -> "energy " + error + ", its parts " + change);
    }

    @Test
    void oracle_refusesOtherEnergiesPositionsAndMomenta() {
        WaterSize size = new WaterSize(MOLECULES, 3);
        double[] expected = run(3);
        assertTrue(WaterOracle.verifyPairs(size, expected, expected).right());
        int[] wrong = {5, 8 + 100, expected.length - 1};
        for (int i : wrong) {
            double[] actual = expected.clone();
            actual[i] += 1e-3;
            assertFalse(WaterOracle.verifyPairs(size, actual, expected).right(), "element " + i);
        }
        assertFalse(WaterOracle.verifyPairs(size, new double[3], expected).right());
    }
}
