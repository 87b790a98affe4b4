package io.muninn.apps.barnes;

import io.muninn.api.DoubleArray;
import io.muninn.apps.Pattern;

/**
 * The bodies and their motion. A body is a record of {@link #WIDTH} elements: mass, position,
 * velocity and the cost of its last force. The constant of gravity and the sum of all masses are 1.
 *
 * <p><b>Integrator.</b> Leapfrog: half a step's change of position, a step's change of velocity,
 * and half a step's change of position.
 *
 * <p>Source: Aarseth, Hénon and Wielen, "A comparison of numerical methods for the study of star
 * cluster dynamics", Astronomy and Astrophysics 37, 1974, appendix (a cluster in equilibrium by
 * Plummer's model).
 */
final class Bodies {
    static final int WIDTH = 8;
    static final int MASS = 0;
    static final int X = 1;
    static final int VELOCITY = 4;
    static final int COST = 7;
    static final int AXES = 3;

    private static final double STEP = 0.025;

    /** Fraction of the model's mass that the bodies represent; the model itself is unbounded. */
    private static final double INNER_MASS = 0.999;

    /** Unit of length of Plummer's model in the unit in which the energy is -1/4. */
    private static final double LENGTH = 3 * Math.PI / 16;

    /** An upper bound of the density of speeds. */
    private static final double DENSITY_MAX = 0.1;

    private Bodies() {}

    /** Elements of the records of all bodies. */
    static int length(BarnesSize size) {
        return WIDTH * size.bodies();
    }

    /** Stores the initial records. The centre of mass is at rest at the origin. */
    static void place(BarnesSize size, DoubleArray bodies) {
        double[] mean = new double[WIDTH];
        double[][] records = new double[size.bodies()][];
        for (int body = 0; body < records.length; body++) {
            records[body] = placed(size, body);
            for (int i = X; i < COST; i++) {
                mean[i] += records[body][i] / records.length;
            }
        }
        for (int body = 0; body < records.length; body++) {
            for (int i = X; i < COST; i++) {
                records[body][i] -= mean[i];
            }
            bodies.copyFrom(WIDTH * body, records[body], 0, WIDTH);
        }
    }

    private static double[] placed(BarnesSize size, int body) {
        double[] record = new double[WIDTH];
        Numbers numbers = new Numbers(size.seed(), body);
        double inside = INNER_MASS * numbers.next();
        double radius = 1 / Math.sqrt(StrictMath.pow(inside, -2.0 / 3) - 1);
        double speed = 0;
        double density = 1;
        while (density > speed * speed * StrictMath.pow(1 - speed * speed, 3.5)) {
            speed = numbers.next();
            density = DENSITY_MAX * numbers.next();
        }
        double escape = Math.sqrt(2 / Math.sqrt(1 + radius * radius));
        record[MASS] = 1.0 / size.bodies();
        numbers.direct(LENGTH * radius, record, X);
        numbers.direct(speed * escape / Math.sqrt(LENGTH), record, VELOCITY);
        record[COST] = 1;
        return record;
    }

    /** Pseudorandom numbers from 0 to 1, a function of seed and body. */
    private static final class Numbers {
        private final int seed;
        private final int body;
        private int count;

        Numbers(int seed, int body) {
            this.seed = seed;
            this.body = body;
        }

        double next() {
            return (1 + Pattern.at(seed, body, count++)) / 2;
        }

        /** Stores a vector of the given length in a random direction. */
        void direct(double length, double[] target, int at) {
            double z = 2 * next() - 1;
            double angle = 2 * Math.PI * next();
            double flat = Math.sqrt(1 - z * z);
            target[at] = length * flat * StrictMath.cos(angle);
            target[at + 1] = length * flat * StrictMath.sin(angle);
            target[at + 2] = length * z;
        }
    }

    /**
     * Advances positions by half a time step.
     *
     * @return the largest absolute value of a coordinate
     */
    static double drift(DoubleArray bodies, int[] which) {
        double reach = 0;
        for (int body : which) {
            for (int axis = 0; axis < AXES; axis++) {
                int at = WIDTH * body + X + axis;
                double moved =
                        bodies.get(at) + STEP / 2 * bodies.get(WIDTH * body + VELOCITY + axis);
                bodies.set(at, moved);
                reach = Math.max(reach, Math.abs(moved));
            }
        }
        return reach;
    }

    /**
     * Advances velocities by a time step and positions by half a time step. Stores the costs.
     *
     * @param forces accelerations and costs by index in {@code which}, in the format of {@link
     *     Gravity}
     */
    static void kick(DoubleArray bodies, int[] which, double[] forces) {
        for (int i = 0; i < which.length; i++) {
            for (int axis = 0; axis < AXES; axis++) {
                int at = WIDTH * which[i] + VELOCITY + axis;
                bodies.set(at, bodies.get(at) + STEP * forces[Gravity.WIDTH * i + axis]);
            }
            bodies.set(WIDTH * which[i] + COST, forces[Gravity.WIDTH * i + AXES]);
        }
        drift(bodies, which);
    }

    /** The records of all bodies. */
    static double[] all(DoubleArray bodies) {
        double[] all = new double[bodies.length()];
        bodies.copyTo(0, all, 0, all.length);
        return all;
    }
}
