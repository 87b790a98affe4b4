package io.muninn.apps.barnes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleArray;
import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree, its zones and subspaces, and the physics of one thread. */
class OctreeTest {
    private static final int BODIES = 300;

    /** Square of the distance that softens all others. */
    private static final double SOFTENING = 0.05 * 0.05;

    private final DoubleArray bodies;
    private final Octree tree;
    private final double reach;

    OctreeTest() {
        BarnesSize size = size(1, 1);
        bodies = DoubleArray.local(Bodies.length(size));
        Bodies.place(size, bodies);
        reach = Bodies.drift(bodies, all());
        tree = Octree.local(size, bodies);
    }

    private static BarnesSize size(int steps, double theta) {
        return new BarnesSize(BODIES, steps, theta, 7);
    }

    private static int[] all() {
        return IntStream.range(0, BODIES).toArray();
    }

    private static double[] onOneNode(Function<DsmNode, double[]> task) {
        double[][] results = {{}};
        Dsm.run(
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {
                        results[0] = task.apply(node);
                    }
                });
        return results[0];
    }

    @Test
    void tree_isTheSameInAnyOrderOfInsertion() {
        BarnesSequential.build(tree, all(), reach);
        int[] first = tree.zone(0, 1);
        double[] sums = sums();
        int[] backwards = IntStream.range(0, BODIES).map(i -> BODIES - 1 - i).toArray();
        BarnesSequential.build(tree, backwards, reach);

        assertArrayEquals(first, tree.zone(0, 1));
        assertArrayEquals(sums, sums());
        assertArrayEquals(all(), Arrays.stream(first).sorted().toArray());
        assertEquals(1, sums[0], 1e-12);
    }

    private double[] sums() {
        return new double[] {
            tree.mass(Octree.ROOT),
            tree.centre(Octree.ROOT, 0),
            tree.centre(Octree.ROOT, 1),
            tree.centre(Octree.ROOT, 2)
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16, 700})
    void zones_areThePartsOfTheTreesOrder(int threads) {
        BarnesSequential.build(tree, all(), reach);

        int[] joined =
                IntStream.range(0, threads)
                        .flatMap(thread -> Arrays.stream(tree.zone(thread, threads)))
                        .toArray();

        assertArrayEquals(tree.zone(0, 1), joined);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 100_000})
    void subspaces_haveAllBodiesAndAreNoLargerThanTheLimit(int most) {
        tree.reach(reach);
        Subspaces spaces = new Subspaces(tree, BODIES, 20, most, all());
        while (spaces.isDividing()) {
            spaces.divide(spaces.counts());
        }

        assertTrue(spaces.count() <= most);
        int total = 0;
        for (int thread = 0; thread < 3; thread++) {
            for (Subspaces.Part part : spaces.of(thread, 3)) {
                long within =
                        IntStream.range(0, BODIES)
                                .filter(body -> spaces.partOf(body) == part.number())
                                .count();
                assertEquals(within, part.bodies());
                assertTrue(part.bodies() <= 20 || most < 100_000);
                total += part.bodies();
            }
        }
        assertEquals(BODIES, total);
    }

    @Test
    void bodiesAtOnePosition_areRefusedIfTheyDoNotFitIntoALeaf() {
        for (int body = 0; body < Octree.LEAF_BODIES; body++) {
            bodies.copyFrom(Bodies.WIDTH * body + Bodies.X, new double[] {0.1, 0.2, 0.3}, 0, 3);
        }
        BarnesSequential.build(tree, all(), reach);
        bodies.copyFrom(Bodies.WIDTH * 8 + Bodies.X, new double[] {0.1, 0.2, 0.3}, 0, 3);

        assertThrows(IllegalStateException.class, () -> BarnesSequential.build(tree, all(), reach));
    }

    @Test
    void accelerations_areThoseOfAllPairsWithinTheErrorOfTheAngle() {
        BarnesSequential.build(tree, all(), reach);
        double[] pairs = onOneNode(node -> new Gravity(size(1, 0), bodies, tree).on(all(), node));
        double[] near = onOneNode(node -> new Gravity(size(1, 0.5), bodies, tree).on(all(), node));
        double[] far = onOneNode(node -> new Gravity(size(1, 1), bodies, tree).on(all(), node));

        assertEquals(0, difference(pairs, direct()), 1e-12);
        assertTrue(difference(near, pairs) < 0.02, () -> "error " + difference(near, pairs));
        assertTrue(difference(far, pairs) < 0.08, () -> "error " + difference(far, pairs));
        assertTrue(difference(near, pairs) > 0 && difference(far, pairs) > 0);
        assertEquals(BODIES - 1, pairs[Bodies.AXES]);
        assertTrue(far[Bodies.AXES] < near[Bodies.AXES]);
    }

    /** Accelerations by all pairs, without a tree. */
    private double[] direct() {
        double[] forces = new double[Gravity.WIDTH * BODIES];
        for (int i = 0; i < BODIES; i++) {
            for (int j = 0; j < BODIES; j++) {
                double distance = distance(bodies, i, j);
                for (int axis = 0; axis < Bodies.AXES; axis++) {
                    forces[Gravity.WIDTH * i + axis] +=
                            (x(bodies, j, axis) - x(bodies, i, axis))
                                    / (BODIES * Math.pow(distance, 3));
                }
            }
        }
        return forces;
    }

    private static double x(DoubleArray bodies, int body, int axis) {
        return bodies.get(Bodies.WIDTH * body + Bodies.X + axis);
    }

    private static double distance(DoubleArray bodies, int i, int j) {
        double square = SOFTENING;
        for (int axis = 0; axis < Bodies.AXES; axis++) {
            square += Math.pow(x(bodies, i, axis) - x(bodies, j, axis), 2);
        }
        return Math.sqrt(square);
    }

    /** Root of the mean square of differences, relative to that of accelerations. */
    private static double difference(double[] actual, double[] expected) {
        double squares = 0;
        double size = 0;
        for (int i = 0; i < expected.length; i++) {
            if (i % Gravity.WIDTH < Bodies.AXES) {
                squares += Math.pow(actual[i] - expected[i], 2);
                size += expected[i] * expected[i];
            }
        }
        return Math.sqrt(squares / size);
    }

    @Test
    void energyOfSomeSteps_changesLittle() {
        double[] before = onOneNode(node -> BarnesSequential.run(size(0, 0.5), node));
        double[] after = onOneNode(node -> BarnesSequential.run(size(12, 0.8), node));

        assertEquals(-0.25, energy(before), 0.03);
        assertEquals(energy(before), energy(after), 0.001);
        assertNotEquals(before[Bodies.X], after[Bodies.X], 0.01);
        for (int i = Bodies.X; i < Bodies.COST; i++) {
            assertEquals(0, mean(before, i), 1e-14);
            assertEquals(0, mean(after, i), 0.001);
        }
    }

    private static double mean(double[] records, int element) {
        return IntStream.range(0, BODIES)
                .mapToDouble(body -> records[Bodies.WIDTH * body + element] / BODIES)
                .sum();
    }

    private static double energy(double[] records) {
        DoubleArray array = DoubleArray.local(records.length);
        array.copyFrom(0, records, 0, records.length);
        double energy = 0;
        for (int i = 0; i < BODIES; i++) {
            for (int axis = 0; axis < Bodies.AXES; axis++) {
                energy +=
                        Math.pow(records[Bodies.WIDTH * i + Bodies.VELOCITY + axis], 2)
                                / (2 * BODIES);
            }
            for (int j = 0; j < i; j++) {
                energy -= 1 / (distance(array, i, j) * BODIES * BODIES);
            }
        }
        return energy;
    }
}
