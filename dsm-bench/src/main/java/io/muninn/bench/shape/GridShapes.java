package io.muninn.bench.shape;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Loop;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import java.util.List;
import java.util.function.IntConsumer;

/** Red-black relaxations and stencils over matrices, in the forms that occur in programs. */
final class GridShapes {
    private static final int SWEEPS = 200;
    private static final int SIZE = 1000;
    private static final double WEIGHT = 0.9;

    static final List<Shape> ALL =
            List.of(
                    of("in-run", g -> run(new OfViews(g)), g -> run(new OfArrays(g))),
                    of("by-method", GridShapes::byMethod, GridShapes::byMethod),
                    of("by-row", GridShapes::byRow, GridShapes::byRow),
                    of("row-method", GridShapes::rowMethod, GridShapes::rowMethod),
                    of("in-lambda", GridShapes::inLambda, GridShapes::inLambda),
                    of("loop-each", g -> run(new EachOfViews(g)), g -> run(new EachOfArrays(g))),
                    of("triangular", GridShapes::triangular, GridShapes::triangular),
                    Shape.stencil(
                            "three-grids",
                            () -> new DoubleMatrix[] {grid(), grid(), grid()},
                            g -> threeGrids(g[0], g[1], g[2]),
                            () -> new double[][][] {rows(), rows(), rows()},
                            g -> threeGrids(g[0], g[1], g[2])));

    private GridShapes() {}

    private static Shape of(
            String name, Shape.Nest<DoubleMatrix> ofViews, Shape.Nest<double[][]> ofArrays) {
        return Shape.stencil(name, GridShapes::grid, ofViews, GridShapes::rows, ofArrays);
    }

    private static double run(DsmProgram program) {
        return Double.parseDouble(Dsm.run(program).detail());
    }

    private static DoubleMatrix grid() {
        DoubleMatrix grid = DoubleMatrix.local(SIZE, SIZE);
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                grid.set(i, j, i * j % 7);
            }
        }
        return grid;
    }

    private static double[][] rows() {
        double[][] rows = new double[SIZE][SIZE];
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                rows[i][j] = i * j % 7;
            }
        }
        return rows;
    }

    private static double sum(DoubleMatrix grid) {
        double sum = 0;
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                sum += grid.get(i, j);
            }
        }
        return sum;
    }

    private static double sum(double[][] rows) {
        double sum = 0;
        for (double[] row : rows) {
            for (double value : row) {
                sum += value;
            }
        }
        return sum;
    }

    private static double relaxed(
            double here, double above, double below, double left, double right) {
        return here + WEIGHT * (0.25 * (above + below + left + right) - here);
    }

    /** All loops in {@code run}, as in a simple program. */
    private record OfViews(DoubleMatrix g) implements DsmProgram {
        @Override
        public void run(DsmNode node) throws InterruptedException {
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                for (int p = 0; p < 2; p++) {
                    for (int i = 1; i < SIZE - 1; i++) {
                        for (int j = 1 + (i + p) % 2; j < SIZE - 1; j += 2) {
                            double h = g.get(i, j);
                            double beside = g.get(i, j - 1) + g.get(i, j + 1);
                            double near = g.get(i - 1, j) + g.get(i + 1, j) + beside;
                            g.set(i, j, h + WEIGHT * (0.25 * near - h));
                        }
                    }
                    node.barrier("half").await();
                }
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right(Double.toString(sum(g)));
        }
    }

    private record OfArrays(double[][] g) implements DsmProgram {
        @Override
        public void run(DsmNode node) throws InterruptedException {
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                for (int p = 0; p < 2; p++) {
                    for (int i = 1; i < SIZE - 1; i++) {
                        for (int j = 1 + (i + p) % 2; j < SIZE - 1; j += 2) {
                            double h = g[i][j];
                            double beside = g[i][j - 1] + g[i][j + 1];
                            double near = g[i - 1][j] + g[i + 1][j] + beside;
                            g[i][j] = h + WEIGHT * (0.25 * near - h);
                        }
                    }
                    node.barrier("half").await();
                }
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right(Double.toString(sum(g)));
        }
    }

    private static double byMethod(DoubleMatrix g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                relaxHalf(g, p);
            }
        }
        return sum(g);
    }

    private static void relaxHalf(DoubleMatrix g, int p) {
        for (int i = 1; i < SIZE - 1; i++) {
            relaxRow(g, i, p);
        }
    }

    private static void relaxRow(DoubleMatrix g, int i, int p) {
        for (int j = 1 + (i + p) % 2; j < SIZE - 1; j += 2) {
            double above = g.get(i - 1, j);
            double below = g.get(i + 1, j);
            double left = g.get(i, j - 1);
            double right = g.get(i, j + 1);
            g.set(i, j, relaxed(g.get(i, j), above, below, left, right));
        }
    }

    private static double byMethod(double[][] g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                relaxHalf(g, p);
            }
        }
        return sum(g);
    }

    private static void relaxHalf(double[][] g, int p) {
        for (int i = 1; i < SIZE - 1; i++) {
            relaxRow(g, i, p);
        }
    }

    private static void relaxRow(double[][] g, int i, int p) {
        for (int j = 1 + (i + p) % 2; j < SIZE - 1; j += 2) {
            double above = g[i - 1][j];
            double below = g[i + 1][j];
            double left = g[i][j - 1];
            double right = g[i][j + 1];
            g[i][j] = relaxed(g[i][j], above, below, left, right);
        }
    }

    private static double rowMethod(DoubleMatrix g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1; i < SIZE - 1; i++) {
                    relaxRow(g.row(i - 1), g.row(i), g.row(i + 1), 1 + (i + p) % 2);
                }
            }
        }
        return sum(g);
    }

    private static void relaxRow(
            DoubleMatrix.Row above, DoubleMatrix.Row here, DoubleMatrix.Row below, int from) {
        for (int j = from; j < SIZE - 1; j += 2) {
            double left = here.get(j - 1);
            double right = here.get(j + 1);
            here.set(j, relaxed(here.get(j), above.get(j), below.get(j), left, right));
        }
    }

    private static double rowMethod(double[][] g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1; i < SIZE - 1; i++) {
                    relaxRow(g[i - 1], g[i], g[i + 1], 1 + (i + p) % 2);
                }
            }
        }
        return sum(g);
    }

    private static void relaxRow(double[] above, double[] here, double[] below, int from) {
        for (int j = from; j < SIZE - 1; j += 2) {
            double left = here[j - 1];
            double right = here[j + 1];
            here[j] = relaxed(here[j], above[j], below[j], left, right);
        }
    }

    private static double byRow(DoubleMatrix g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1; i < SIZE - 1; i++) {
                    DoubleMatrix.Row above = g.row(i - 1);
                    DoubleMatrix.Row here = g.row(i);
                    DoubleMatrix.Row below = g.row(i + 1);
                    for (int j = 1 + (i + p) % 2; j < SIZE - 1; j += 2) {
                        double left = here.get(j - 1);
                        double right = here.get(j + 1);
                        here.set(j, relaxed(here.get(j), above.get(j), below.get(j), left, right));
                    }
                }
            }
        }
        return sum(g);
    }

    private static double byRow(double[][] g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1; i < SIZE - 1; i++) {
                    double[] above = g[i - 1];
                    double[] here = g[i];
                    double[] below = g[i + 1];
                    for (int j = 1 + (i + p) % 2; j < SIZE - 1; j += 2) {
                        double left = here[j - 1];
                        double right = here[j + 1];
                        here[j] = relaxed(here[j], above[j], below[j], left, right);
                    }
                }
            }
        }
        return sum(g);
    }

    private static double inLambda(DoubleMatrix g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                int half = p;
                forEachRow(i -> relaxRow(g, i, half));
            }
        }
        return sum(g);
    }

    private static double inLambda(double[][] g) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                int half = p;
                forEachRow(i -> relaxRow(g, i, half));
            }
        }
        return sum(g);
    }

    private static void forEachRow(IntConsumer body) {
        for (int i = 1; i < SIZE - 1; i++) {
            body.accept(i);
        }
    }

    private record EachOfViews(DoubleMatrix g, Loop<None, None> red, Loop<None, None> black)
            implements LoopProgram {
        EachOfViews(DoubleMatrix g) {
            this(g, Loop.each(i -> relaxRow(g, i, 0)), Loop.each(i -> relaxRow(g, i, 1)));
        }

        @Override
        public void run(Team team) {
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                team.forEach(1, SIZE - 1, red);
                team.forEach(1, SIZE - 1, black);
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right(Double.toString(sum(g)));
        }
    }

    private record EachOfArrays(double[][] g, Loop<None, None> red, Loop<None, None> black)
            implements LoopProgram {
        EachOfArrays(double[][] g) {
            this(g, Loop.each(i -> relaxRow(g, i, 0)), Loop.each(i -> relaxRow(g, i, 1)));
        }

        @Override
        public void run(Team team) {
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                team.forEach(1, SIZE - 1, red);
                team.forEach(1, SIZE - 1, black);
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right(Double.toString(sum(g)));
        }
    }

    private static double triangular(DoubleMatrix g) {
        for (int sweep = 0; sweep < 2 * SWEEPS; sweep++) {
            for (int i = 1; i < SIZE - 1; i++) {
                for (int j = 1; j < i; j++) {
                    double near =
                            g.get(i - 1, j) + g.get(i + 1, j) + g.get(i, j - 1) + g.get(i, j + 1);
                    g.set(i, j, 0.25 * near);
                }
            }
        }
        return sum(g);
    }

    private static double triangular(double[][] g) {
        for (int sweep = 0; sweep < 2 * SWEEPS; sweep++) {
            for (int i = 1; i < SIZE - 1; i++) {
                for (int j = 1; j < i; j++) {
                    double near = g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1];
                    g[i][j] = 0.25 * near;
                }
            }
        }
        return sum(g);
    }

    private static double threeGrids(DoubleMatrix a, DoubleMatrix b, DoubleMatrix c) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 1; i < SIZE - 1; i++) {
                for (int j = 1; j < SIZE - 1; j++) {
                    double near =
                            a.get(i - 1, j) + a.get(i + 1, j) + a.get(i, j - 1) + a.get(i, j + 1);
                    c.set(i, j, 0.2 * near + 0.1 * b.get(i, j) + 0.1 * c.get(i, j));
                }
            }
        }
        return sum(c);
    }

    private static double threeGrids(double[][] a, double[][] b, double[][] c) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 1; i < SIZE - 1; i++) {
                for (int j = 1; j < SIZE - 1; j++) {
                    double near = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
                    c[i][j] = 0.2 * near + 0.1 * b[i][j] + 0.1 * c[i][j];
                }
            }
        }
        return sum(c);
    }
}
