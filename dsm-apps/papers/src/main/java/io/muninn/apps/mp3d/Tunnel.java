package io.muninn.apps.mp3d;

import io.muninn.apps.Pattern;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The tunnel and its flow. Lengths are integers, with {@link #CELL} to a cell, and so are
 * velocities, in length per step: sums of momentum and energy are exact. The tunnel is periodic.
 * Particles flow along the third axis, and slowly along the first.
 *
 * <p>Source: Singh, Weber and Gupta, "SPLASH: Stanford Parallel Applications for Shared-Memory",
 * 1992, section on MP3D (its cells; collisions of particles that meet in a cell). Departures: no
 * body is in the tunnel, and it is periodic, so that momentum and energy are constant.
 *
 * @param particles at least 1
 * @param seed of positions and velocities
 */
record Tunnel(int particles, int seed) {
    /** Cells along each axis. */
    static final int[] CELLS = {14, 24, 7};

    /** Length of a cell along each axis. */
    static final int CELL = 1 << 16;

    /** Positions on three axes, then velocities. */
    static final int COORDINATES = 6;

    /** Mean velocity along each axis. */
    private static final int[] FLOW = {CELL / 64, CELL / 64, CELL / 2};

    /** Largest difference from the mean velocity. */
    private static final int[] SPREAD = {CELL / 16, CELL / 16, CELL / 4};

    static int cells() {
        return CELLS[0] * CELLS[1] * CELLS[2];
    }

    /** The initial coordinates of a particle. */
    int[] placed(int particle) {
        int[] all = new int[COORDINATES];
        for (int axis = 0; axis < 3; axis++) {
            double where = (Pattern.at(seed, particle, axis) + 1) / 2;
            all[axis] = (int) (where * CELLS[axis] * CELL);
            double speed = Pattern.at(seed, particle, 3 + axis);
            all[3 + axis] = FLOW[axis] + (int) (speed * SPREAD[axis]);
        }
        return all;
    }

    /** The particles, one behind the other in memory: by number or by the slow coordinate. */
    int[] order(boolean isSorted) {
        if (!isSorted) {
            return IntStream.range(0, particles).toArray();
        }
        int[][] all = IntStream.range(0, particles).mapToObj(this::placed).toArray(int[][]::new);
        return IntStream.range(0, particles)
                .boxed()
                .sorted(Comparator.comparingInt((Integer i) -> all[i][0]))
                .mapToInt(i -> i)
                .toArray();
    }

    /** Moves a particle for a step. */
    static void move(int[] particle) {
        for (int axis = 0; axis < 3; axis++) {
            particle[axis] = Math.floorMod(particle[axis] + particle[3 + axis], CELLS[axis] * CELL);
        }
    }

    /** The cell of a particle. The third axis is the outermost dimension, the first the inner. */
    static int cell(int[] particle) {
        return (particle[2] / CELL * CELLS[1] + particle[1] / CELL) * CELLS[0] + particle[0] / CELL;
    }

    /**
     * Lets two particles collide: on axes that chance selects they exchange their velocities, which
     * keeps momentum and energy.
     */
    static void collide(int[] one, int[] other, int step) {
        long chance = Pattern.mix(Pattern.mix(Arrays.hashCode(one)) ^ step);
        for (int axis = 3; axis < COORDINATES; axis++) {
            if ((chance >>> axis & 1) != 0) {
                int velocity = one[axis];
                one[axis] = other[axis];
                other[axis] = velocity;
            }
        }
    }

    /**
     * What a flow keeps.
     *
     * @param momentum along each axis
     */
    record Kept(long[] momentum, long energy) {
        static Kept none() {
            return new Kept(new long[3], 0);
        }

        Kept plus(int[] particle) {
            long[] sum = momentum.clone();
            long squares = energy;
            for (int axis = 0; axis < 3; axis++) {
                long velocity = particle[3 + axis];
                sum[axis] += velocity;
                squares += velocity * velocity;
            }
            return new Kept(sum, squares);
        }

        boolean equalsKept(Kept other) {
            return Arrays.equals(momentum, other.momentum) && energy == other.energy;
        }

        String text() {
            return "momentum " + Arrays.toString(momentum) + " and energy " + energy;
        }
    }
}
