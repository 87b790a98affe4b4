package io.muninn.apps.ocean;

import static io.muninn.apps.ocean.OceanBasin.BETA;
import static io.muninn.apps.ocean.OceanBasin.DEPTH;
import static io.muninn.apps.ocean.OceanBasin.LOWER;
import static io.muninn.apps.ocean.OceanBasin.STIFFNESS;
import static io.muninn.apps.ocean.OceanBasin.TIME_STEP;
import static io.muninn.apps.ocean.OceanBasin.UPPER;

import io.muninn.api.DsmNode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One thread's part of OCEAN, in all versions: of every grid it has a part that is nearly square.
 *
 * <p>A step of time computes Laplacians and Jacobians of both layers in phases, solves the elliptic
 * equation of γ, makes the integral of γ zero by means of all threads' sum, solves that of Φ, and
 * moves the stream functions, by a leap over the step before. A wall's value of ψ1 - ψ3 changes
 * with time; grids have differences from it, which are zero there. {@code ones} is γ of a basin
 * whose walls have 1 and that nothing moves, less 1. Each value is computed from others in one way,
 * whoever computes it, so that all versions give the same bits.
 *
 * <p>What it is: the equations, the phases of a step, the two solutions of a step, the solver, the
 * partition, the layouts, the barriers between phases and the sums under locks are those of the
 * publications. What it is not: the program of SPLASH-2, whose source nobody has read for it. Its
 * coefficients, its friction, its filter of time steps, the thresholds of its solver and the places
 * of walls are ours, and it keeps no running means of the stream functions.
 *
 * <p>Source: Singh and Hennessy, "Finding and exploiting parallelism in an ocean simulation
 * program", J. Parallel and Distributed Computing 15, 1992 (phases); Woo et al., "The SPLASH-2
 * programs", ISCA 1995, section 3 (partition, solver); Asselin, "Frequency filter for time
 * integrations", Monthly Weather Review 100, 1972.
 */
final class OceanRun {
    /** Simple operations for a cell. */
    private static final int LAPLACIAN = 6;

    private static final int JACOBIAN = 40;
    private static final int RIGHTS = 30;
    private static final int MOTION = 14;

    /** How much of the bend between three steps the filter takes. */
    private static final double FILTER = 0.05;

    private static final double[] DEPTHS = {UPPER, LOWER};
    private static final int LAYERS = DEPTHS.length;

    /** γ's part in the motion of a layer. */
    private static final double[] SHARES = {LOWER / DEPTH, -UPPER / DEPTH};

    private final OceanSize size;
    private final OceanLoops loops;
    private final OceanCells cells;
    private final OceanSolver solver;

    /** By layer: ψ, and copies of it as it is in a step, and was before it. */
    private final List<OceanGrid> streams;

    private final List<OceanGrid> now;
    private final List<OceanGrid> before;

    /** By layer: ζ, its Jacobian with ψ, and Laplacians of ψ before: once or thrice, and twice. */
    private final List<OceanGrid> vorticities;

    private final List<OceanGrid> advections;
    private final List<OceanGrid> odd;
    private final List<OceanGrid> even;

    /** ψ1 - ψ3, ψ2, and their Jacobian. */
    private final OceanGrid shear;

    private final OceanGrid middle;
    private final OceanGrid slide;

    /** γ, less its value at walls, and Φ; right-hand sides of their equations. */
    private final OceanGrid gamma;

    private final OceanGrid phi;
    private final OceanGrid gammaRight;
    private final OceanGrid phiRight;
    private final OceanGrid ones;

    /** The integral of {@code ones}, and 1, over all cells. */
    private double ofOnes;

    /**
     * Of ψ1 - ψ3: now, a step before, its change with time; the integral of γ in the first step.
     */
    private final double[] walls = new double[4];

    /** Makes grids of zeros. */
    interface Grids {
        OceanGrid of(String name, int cells);
    }

    OceanRun(OceanSize size, OceanLoops loops, OceanCells cells, Grids grids) {
        this.size = size;
        this.loops = loops;
        this.cells = cells;
        solver = new OceanSolver(size, loops, cells, grids);
        streams = layers("stream", grids);
        now = layers("now", grids);
        before = layers("before", grids);
        vorticities = layers("vorticity", grids);
        advections = layers("advection", grids);
        odd = layers("odd", grids);
        even = layers("even", grids);
        shear = grids.of("shear", size.cells());
        middle = grids.of("middle", size.cells());
        slide = grids.of("slide", size.cells());
        gamma = grids.of("gamma", size.cells());
        phi = grids.of("phi", size.cells());
        gammaRight = grids.of("gamma-right", size.cells());
        phiRight = grids.of("phi-right", size.cells());
        ones = grids.of("ones", size.cells());
    }

    private List<OceanGrid> layers(String name, Grids grids) {
        return IntStream.range(0, LAYERS)
                .mapToObj(layer -> grids.of(name + "-" + layer, size.cells()))
                .toList();
    }

    void run() {
        if (size.steps() > 0) {
            prepare();
        }
        for (int step = 0; step < size.steps(); step++) {
            differentiate();
            equate();
            loops.changed();
            solver.solve(gamma, gammaRight, STIFFNESS);
            keepMass(step);
            solver.solve(phi, phiRight, 0);
            move(step == 0 ? TIME_STEP : 2 * TIME_STEP);
        }
    }

    /** Solves for {@code ones}, whose right-hand side is the same everywhere. */
    private void prepare() {
        loops.each(0, 1, List.of(), (row, column) -> gammaRight.set(row, column, STIFFNESS));
        loops.changed();
        solver.solve(ones, gammaRight, STIFFNESS);
        ofOnes = (double) size.cells() * size.cells() + loops.sum(ones);
    }

    /** Computes Laplacians and Jacobians. */
    private void differentiate() {
        List<OceanGrid> interfaces = List.of(shear, middle);
        List<OceanGrid> moving = both(vorticities, now);
        loops.each(0, 2 * (LAPLACIAN + 2), streams, this::shear);
        loops.soon(before);
        loops.changed(both(moving, interfaces));
        loops.each(0, 2 * (LAPLACIAN + 1), before, this::rub);
        loops.soon(moving);
        loops.changed(odd);
        loops.each(0, 2 * (LAPLACIAN + JACOBIAN), both(moving, odd), this::advect);
        loops.soon(interfaces);
        loops.changed(even);
        loops.each(0, 2 * LAPLACIAN + JACOBIAN, both(even, interfaces), this::slide);
        loops.changed();
    }

    private static List<OceanGrid> both(List<OceanGrid> some, List<OceanGrid> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private void shear(int row, int column) {
        for (int layer = 0; layer < LAYERS; layer++) {
            OceanGrid stream = streams.get(layer);
            vorticities.get(layer).set(row, column, cells.laplacian(stream, row, column));
            now.get(layer).set(row, column, stream.get(row, column));
        }
        double upper = streams.get(0).get(row, column);
        double lower = streams.get(1).get(row, column);
        shear.set(row, column, upper - lower);
        middle.set(row, column, (LOWER * upper + UPPER * lower) / DEPTH);
    }

    private void rub(int row, int column) {
        for (int layer = 0; layer < LAYERS; layer++) {
            OceanGrid last = before.get(layer);
            odd.get(layer).set(row, column, cells.laplacian(last, row, column));
            streams.get(layer).set(row, column, last.get(row, column));
        }
    }

    private void advect(int row, int column) {
        for (int layer = 0; layer < LAYERS; layer++) {
            OceanGrid stream = now.get(layer);
            double jacobian = OceanCells.jacobian(vorticities.get(layer), stream, row, column);
            advections.get(layer).set(row, column, jacobian);
            even.get(layer).set(row, column, cells.laplacian(odd.get(layer), row, column));
            before.get(layer).set(row, column, stream.get(row, column));
        }
    }

    private void slide(int row, int column) {
        slide.set(row, column, OceanCells.jacobian(shear, middle, row, column));
        for (int layer = 0; layer < LAYERS; layer++) {
            odd.get(layer).set(row, column, cells.laplacian(even.get(layer), row, column));
        }
    }

    /** Computes the right-hand sides of both equations. */
    private void equate() {
        double friction = OceanBasin.friction(size.cells());
        loops.each(
                0,
                RIGHTS,
                now,
                (row, column) -> {
                    double[] forces = new double[LAYERS];
                    for (int layer = 0; layer < LAYERS; layer++) {
                        forces[layer] =
                                advections.get(layer).get(row, column)
                                        - BETA * OceanCells.east(now.get(layer), row, column)
                                        - friction * odd.get(layer).get(row, column);
                    }
                    forces[0] += OceanBasin.wind(row, size.cells());
                    double pressed = STIFFNESS * slide.get(row, column);
                    gammaRight.set(row, column, forces[0] - forces[1] - pressed);
                    double mean = (UPPER * forces[0] + LOWER * forces[1]) / DEPTH;
                    phiRight.set(row, column, mean);
                });
    }

    /** Makes the integral of γ zero, so that neither layer gains water. */
    private void keepMass(int step) {
        double sum = loops.sum(gamma);
        double wall = -sum / ofOnes;
        walls[2] = wall;
        if (step == 0) {
            walls[3] = sum;
        }
        loops.each(
                0,
                2,
                List.of(),
                (row, column) -> {
                    double more = wall * ones.get(row, column);
                    gamma.set(row, column, gamma.get(row, column) + more);
                });
        loops.changed(gamma);
    }

    /** Moves stream functions, which are those before, over a time. */
    private void move(double time) {
        loops.each(
                0,
                2 * MOTION,
                List.of(),
                (row, column) -> {
                    for (int layer = 0; layer < LAYERS; layer++) {
                        double change =
                                phi.get(row, column) + SHARES[layer] * gamma.get(row, column);
                        double last = streams.get(layer).get(row, column);
                        double next = last + time * change;
                        streams.get(layer).set(row, column, next);
                        OceanGrid current = before.get(layer);
                        double value = current.get(row, column);
                        current.set(row, column, filtered(last, value, next));
                    }
                });
        double last = walls[1];
        double next = last + time * walls[2];
        walls[1] = filtered(last, walls[0], next);
        walls[0] = next;
        loops.changed(both(streams, before));
    }

    /** A value between two others of the time before and behind it. */
    private static double filtered(double last, double value, double next) {
        return value + FILTER * (last - 2 * value + next);
    }

    /** Stream functions; γ less its value at walls, and Φ; the right-hand sides of these two. */
    List<OceanGrid> results() {
        return both(streams, List.of(gamma, phi, gammaRight, phiRight));
    }

    /** The cells of all results, one after the other, and numbers about walls. */
    double[] values() {
        DoubleStream grids =
                results().stream().flatMapToDouble(grid -> Arrays.stream(grid.values()));
        return DoubleStream.concat(grids, Arrays.stream(walls)).toArray();
    }

    /** Runs on one thread; the results, on the heap. */
    static double[] alone(OceanSize size, OceanCells cells, DsmNode node) {
        OceanLinks none =
                new OceanLinks() {
                    @Override
                    public void changed(List<OceanGrid> grids) {}

                    @Override
                    public long all(Join join, long mine, List<OceanGrid> grids) {
                        return mine;
                    }
                };
        OceanLoops loops = new OceanLoops(size, node, 0, 1, none);
        OceanRun run = new OceanRun(size, loops, cells, (name, n) -> OceanGrid.local(n));
        run.run();
        return run.values();
    }
}
