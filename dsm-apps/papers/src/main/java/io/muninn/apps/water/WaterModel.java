package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.apps.Pattern;

/**
 * The physics of both programs. Units are Å, ps, u and kJ/mol.
 *
 * <p><b>Potential.</b> SPC/Fw: three charged atoms; harmonic bonds between O and each H, and a
 * harmonic angle between the bonds; between molecules a Lennard-Jones potential of the O atoms and
 * Coulomb's of all pairs of atoms. Departure: both are cut off, and shifted so that potential and
 * force are zero at the cutoff; there is no sum over periodic images. Molecules are in a cube with
 * periodic boundaries, at 0.997 g/cm³. Two molecules interact at the image where their O atoms are
 * nearest.
 *
 * <p><b>Integrator.</b> Velocity Verlet, in steps of 0.5 fs.
 *
 * <p>Positions, velocities and forces of a molecule are nine elements each: three axes for the
 * atoms O, H, H. Positions are not wrapped into the box.
 *
 * <p>Source: Wu, Tepper and Voth, "Flexible simple point-charge water model with improved
 * liquid-state properties", J. Chem. Phys. 124, 024503, 2006 (parameters); Allen and Tildesley,
 * "Computer Simulation of Liquids", sections 3.2 (integrator) and 5.2 (shifted forces).
 */
final class WaterModel {
    /** Greatest distance of an H from its O. */
    static final double REACH = 1.2;

    /** Simple operations for a pair of molecules. */
    static final int PAIR_UNITS = 120;

    /** Simple operations to move a molecule, including its bonds and its angle. */
    static final int MOLECULE_UNITS = 100;

    private static final double CUTOFF_MOST = 5.8;
    private static final double VOLUME = 29.97; // of a molecule
    private static final double STEP = 0.0005;

    /** Number of u Å²/ps² in one kJ/mol. */
    private static final double ENERGY = 100;

    private static final double KCAL = 4.184;
    private static final double BOND = 1059.162 * KCAL;
    private static final double BOND_LENGTH = 1.012;
    private static final double ANGLE = 75.90 * KCAL;
    private static final double ANGLE_WIDTH = Math.toRadians(113.24);
    private static final double EPSILON = 0.1554253 * KCAL;
    private static final double SIGMA = 3.165492;
    private static final double COULOMB = 1389.35458; // of two unit charges 1 Å apart
    private static final double[] CHARGES = {-0.82, 0.41, 0.41};
    private static final double[] MASSES = {15.9994, 1.008, 1.008};

    /** Largest component of an initial velocity; the mean square corresponds to 298 K. */
    private static final double SPEED = 6.4;

    private static final long SEED = 51;

    private final int molecules;
    private final double side;
    private final double cutoff;

    WaterModel(int molecules) {
        this.molecules = molecules;
        side = Math.cbrt(molecules * VOLUME);
        cutoff = Math.min(CUTOFF_MOST, side / 2 - 2 * REACH);
    }

    /** Edge of the box. */
    double side() {
        return side;
    }

    /** Greatest distance of the O atoms of two interacting molecules. */
    double range() {
        return cutoff + 2 * REACH;
    }

    /** Stores the initial positions of a molecule: on a cubic lattice, in a random orientation. */
    void place(int molecule, double[] x, int at) {
        int edge = (int) Math.ceil(Math.cbrt(molecules) - 1e-9);
        double spacing = side / edge;
        int[] cell = {molecule % edge, molecule / edge % edge, molecule / edge / edge};
        double[] along = unit(molecule, 0);
        double[] across = cross(along, unit(molecule, 3));
        double half = ANGLE_WIDTH / 2;
        for (int axis = 0; axis < 3; axis++) {
            double origin = cell[axis] * spacing;
            double forth = BOND_LENGTH * StrictMath.cos(half) * along[axis];
            double aside = BOND_LENGTH * StrictMath.sin(half) * across[axis];
            x[at + axis] = origin;
            x[at + 3 + axis] = origin + forth + aside;
            x[at + 6 + axis] = origin + forth - aside;
        }
    }

    private static double[] unit(int molecule, int from) {
        double[] v = {
            Pattern.at(SEED, molecule, from),
            Pattern.at(SEED, molecule, from + 1),
            Pattern.at(SEED, molecule, from + 2)
        };
        return normal(v);
    }

    private static double[] cross(double[] a, double[] b) {
        return normal(
                new double[] {
                    a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
                });
    }

    private static double[] normal(double[] v) {
        double length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        return new double[] {v[0] / length, v[1] / length, v[2] / length};
    }

    /** Stores the initial velocities of a molecule, which are the same for its three atoms. */
    void start(int molecule, double[] v, int at) {
        for (int i = 0; i < WIDTH; i++) {
            v[at + i] = SPEED * Pattern.at(SEED + 1, molecule, i % 3);
        }
    }

    /** Advances a molecule's velocities by half a time step. */
    void kick(double[] v, int at, double[] forces, int from) {
        for (int i = 0; i < WIDTH; i++) {
            v[at + i] += 0.5 * STEP * ENERGY / MASSES[i / 3] * forces[from + i];
        }
    }

    /** Advances a molecule's positions by a time step. */
    void drift(double[] x, int at, double[] v, int from) {
        for (int i = 0; i < WIDTH; i++) {
            x[at + i] += STEP * v[from + i];
        }
    }

    /** Kinetic energy of a molecule. */
    double kinetic(double[] v, int at) {
        double sum = 0;
        for (int i = 0; i < WIDTH; i++) {
            sum += MASSES[i / 3] * v[at + i] * v[at + i];
        }
        return sum / (2 * ENERGY);
    }

    /** Mass of the atom of an element of a molecule. */
    static double mass(int element) {
        return MASSES[element / 3];
    }

    /**
     * Adds the forces of a molecule's bonds and angle.
     *
     * @return their potential energy
     * @throws IllegalStateException if an H is farther from its O than {@link #REACH}
     */
    double inside(double[] x, int at, double[] forces, int to) {
        double[] first = new double[3];
        double[] second = new double[3];
        double firstLength = bond(x, at, 3, first);
        double secondLength = bond(x, at, 6, second);
        double cosine =
                (first[0] * second[0] + first[1] * second[1] + first[2] * second[2])
                        / (firstLength * secondLength);
        double angle = StrictMath.acos(Math.max(-1, Math.min(1, cosine)));
        double firstPull = BOND * (firstLength - BOND_LENGTH);
        double secondPull = BOND * (secondLength - BOND_LENGTH);
        double turn = ANGLE * (angle - ANGLE_WIDTH) / StrictMath.sin(angle);
        for (int axis = 0; axis < 3; axis++) {
            double a = first[axis] / firstLength;
            double b = second[axis] / secondLength;
            double onFirst = turn * (b - cosine * a) / firstLength - firstPull * a;
            double onSecond = turn * (a - cosine * b) / secondLength - secondPull * b;
            forces[to + 3 + axis] += onFirst;
            forces[to + 6 + axis] += onSecond;
            forces[to + axis] -= onFirst + onSecond;
        }
        return 0.5 * firstPull * firstPull / BOND
                + 0.5 * secondPull * secondPull / BOND
                + 0.5 * ANGLE * (angle - ANGLE_WIDTH) * (angle - ANGLE_WIDTH);
    }

    /** Stores the vector from O to an H; returns its length. */
    private static double bond(double[] x, int at, int hydrogen, double[] way) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = x[at + hydrogen + axis] - x[at + axis];
            square += way[axis] * way[axis];
        }
        double length = Math.sqrt(square);
        if (!(length <= REACH)) {
            throw new IllegalStateException("a bond of " + length + " Å is too long for the model");
        }
        return length;
    }

    /**
     * Adds the forces between two molecules.
     *
     * @param a positions of one molecule, from {@code i} on; its forces are in {@code onA} from
     *     {@code toA} on
     * @param b positions of the other, from {@code j} on; its forces are in {@code onB} from {@code
     *     toB} on
     * @return their potential energy, 0 if they are too far from each other
     */
    double between(
            double[] a, int i, double[] b, int j, double[] onA, int toA, double[] onB, int toB) {
        double shiftX = image(a[i] - b[j]);
        double shiftY = image(a[i + 1] - b[j + 1]);
        double shiftZ = image(a[i + 2] - b[j + 2]);
        double x = a[i] - b[j] - shiftX;
        double y = a[i + 1] - b[j + 1] - shiftY;
        double z = a[i + 2] - b[j + 2] - shiftZ;
        if (x * x + y * y + z * z >= range() * range()) {
            return 0;
        }
        double energy = 0;
        for (int p = 0; p < WIDTH; p += 3) {
            for (int q = 0; q < WIDTH; q += 3) {
                x = a[i + p] - b[j + q] - shiftX;
                y = a[i + p + 1] - b[j + q + 1] - shiftY;
                z = a[i + p + 2] - b[j + q + 2] - shiftZ;
                double r = Math.sqrt(x * x + y * y + z * z);
                if (r < cutoff) {
                    boolean isOxygen = p == 0 && q == 0;
                    double charges = COULOMB * CHARGES[p / 3] * CHARGES[q / 3];
                    energy += coulomb(charges, r) + (isOxygen ? lennardJones(r) : 0);
                    double pull =
                            (coulombForce(charges, r) + (isOxygen ? lennardJonesForce(r) : 0)) / r;
                    add(onA, toA + p, pull * x, pull * y, pull * z);
                    add(onB, toB + q, -pull * x, -pull * y, -pull * z);
                }
            }
        }
        return energy;
    }

    private double image(double distance) {
        return side * Math.rint(distance / side);
    }

    private static void add(double[] forces, int at, double x, double y, double z) {
        forces[at] += x;
        forces[at + 1] += y;
        forces[at + 2] += z;
    }

    private double coulomb(double charges, double r) {
        return charges * (1 / r - 1 / cutoff + (r - cutoff) / (cutoff * cutoff));
    }

    private double coulombForce(double charges, double r) {
        return charges * (1 / (r * r) - 1 / (cutoff * cutoff));
    }

    private double lennardJones(double r) {
        return plain(r) - plain(cutoff) + (r - cutoff) * plainForce(cutoff);
    }

    private double lennardJonesForce(double r) {
        return plainForce(r) - plainForce(cutoff);
    }

    private static double plain(double r) {
        double sixth = sixth(r);
        return 4 * EPSILON * (sixth * sixth - sixth);
    }

    private static double plainForce(double r) {
        double sixth = sixth(r);
        return 4 * EPSILON * (12 * sixth * sixth - 6 * sixth) / r;
    }

    private static double sixth(double r) {
        double square = SIGMA / r * (SIGMA / r);
        return square * square * square;
    }
}
